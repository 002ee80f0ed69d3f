import { canonicalEmail } from '../../kernel/email.ts'
import { toWire } from '../../kernel/moment.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import { sealAddress } from '../../modules/emails/sealed-address.ts'
import { transact } from '../../modules/events/transact.ts'
import { announceSignIn } from '../../modules/operators/announce.ts'
import { deleteFailures } from '../../modules/operators/attempt-store.ts'
import { passwordOf } from '../../modules/operators/attempts.ts'
import { type Browser, type Next, passwords } from '../../modules/operators/begin-session.ts'
import { forgetDevices, rememberDevice } from '../../modules/operators/devices.ts'
import { hashPassword, isLongEnough } from '../../modules/operators/password.ts'
import { endResets, findReset } from '../../modules/operators/password-resets.ts'
import { isUsable } from '../../modules/operators/rules/password-reset.ts'
import { endSessions, lockOperator, saveOperator } from '../../modules/operators/store.ts'
import { emailPasswordLink } from '../../modules/operators/tasks.ts'
import { everywhere, realNow } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { secretHash } from '../../platform/http/browser-secret.ts'
import { leaveFor } from '../../platform/http/form-state.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { Busy } from '../../platform/work-queue.ts'
import { passwordPath } from './link.ts'
import { findResetOf } from './load-password-reset.ts'

/** The response does not reveal whether the address is known. */
export async function submitForgotten(form: URLSearchParams): Promise<Next> {
  const typed = (form.get('email') ?? '').slice(0, 300)
  const email = canonicalEmail(typed)
  if (email === null)
    return leaveFor(passwordPath(), `${passwordPath()}?problem=email`, { typed: { email: typed }, problems: {} })
  const key = newId('task_', realNow())
  const data = { key, sealedEmail: sealAddress(email, key) }
  await transact(everywhere, (tx) => tx.enqueue(emailPasswordLink, { key, data, dueAt: realNow() }))
  return { redirectTo: `${passwordPath()}?sent` }
}

/** Sets a new password. Each link works once. Ends all sessions. The next log-in requires the second factor. Returns null if the link is unknown. */
export async function submitPassword(token: string, form: URLSearchParams, browser: Browser): Promise<Next | null> {
  const found = await findResetOf(token)
  if (!found) return null
  const page = passwordPath(token)
  if (!isUsable(found, realNow())) return { redirectTo: page }
  const password = form.get('password') ?? ''
  if (!isLongEnough(password)) return { redirectTo: `${page}?problem=password` }
  try {
    const passwordHash = await passwords.run(browser.address, () => hashPassword(password))
    const set = await setPassword(token, { operatorId: found.operatorId, passwordHash, browser })
    return set ? { redirectTo: '/admin/sign-in?password-set', ...set } : { redirectTo: page }
  } catch (error) {
    if (!(error instanceof Busy)) throw error
    return { redirectTo: `${page}?problem=busy` }
  }
}

const setPassword = (
  token: string,
  { operatorId, passwordHash, browser }: { operatorId: string; passwordHash: string; browser: Browser },
): Promise<{ deviceCookie: string } | null> =>
  transact(everywhere, async (tx) => {
    const { sql } = tx
    const operator = await lockOperator(sql, operatorId)
    const hash = secretHash(token)
    const reset = hash && (await findReset(sql, hash))
    const now = realNow()
    if (!operator || !reset || !isUsable(reset, now)) return null
    await saveOperator(sql, { ...operator, passwordHash })
    await endResets(sql, operatorId, now)
    const endedSessions = await endSessions(sql, { operatorId }, now)
    // Earlier guesses of the old password must not lock out the owner of the new password.
    await deleteFailures(sql, { subject: passwordOf(operator.email) })
    await forgetDevices(sql, operatorId)
    const { address, cookies = null } = browser
    const deviceCookie = await rememberDevice(sql, { operatorId, cookies, isVerified: false, now })
    const actor = { kind: operator.membership ? 'member' : 'operator', id: operatorId, address } as const
    const change = { action: 'operator.reset_password', subject: operatorId, before: null } as const
    await writeAudit(sql, actor, { ...change, after: { endedSessions } })
    const url = pageUrl(passwordPath())
    await announceSignIn(tx, change.action, operator, { of: 'passwordChanged', at: toWire(now), url })
    return { deviceCookie }
  })
