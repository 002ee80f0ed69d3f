import { renderSVG } from 'uqr'
import type { z } from 'zod'
import { canonicalEmail } from '../../kernel/email.ts'
import { toWire } from '../../kernel/moment.ts'
import { everywhere, realNow } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { sessionCookie } from '../../platform/http/cookies.ts'
import { formStateOf, leaveFor } from '../../platform/http/form-state.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { Busy } from '../../platform/work-queue.ts'
import { writeAudit } from '../audit/write.ts'
import { sealAddress, unsealAddress } from '../emails/sealed-address.ts'
import { transact } from '../events/transact.ts'
import { announceNewBrowser, announceSignIn } from './announce.ts'
import { type Begun, beginAttempt, codeAttempt, passwordAttempt, succeeded } from './attempts.ts'
import { type Browser, beginSession, type Next, operatorCookie, passwords, secondFactor } from './begin-session.ts'
import { afterCode } from './check-code.ts'
import { knownDevice, rememberDevice } from './devices.ts'
import type { SecondFactorPage } from './page.ts'
import { isNoPassword, isPassword } from './password.ts'
import { newTotpSecret, recoveryCodes, totpUri } from './second-factor.ts'
import { actorOf, findSignedIn, forgottenPath, signIn } from './signed-in.ts'
import * as store from './store.ts'
import { recordPasswordLock } from './tasks.ts'

/**
 * The first half of a log-in. Every failure has the same answer, after the same time: an unknown address, a wrong
 * password, an account that is locked.
 */
export async function submitSignIn(form: URLSearchParams, browser: Browser): Promise<Next> {
  const typed = (form.get('email') ?? '').slice(0, 300)
  const password = (form.get('password') ?? '').slice(0, 200)
  const back = (why: 'refused' | 'busy') =>
    leaveFor(signIn, `${signIn}?${why}`, { typed: { email: typed }, problems: {} })
  try {
    const next = await passwords.run(browser.address, () => signInWith(canonicalEmail(typed), password, browser))
    return next ?? back('refused')
  } catch (error) {
    if (!(error instanceof Busy)) throw error
    return back('busy')
  }
}

/** The email address typed into a log-in that failed. */
export const typedAtSignIn = (form: string | null, cookies: string | null): string =>
  formStateOf(signIn, form, cookies).typed.email ?? ''

/** Null after a refusal. An address without an account takes the same steps, so neither count nor time reveals it. */
async function signInWith(email: string | null, password: string, browser: Browser): Promise<Next | null> {
  if (email === null) {
    await isNoPassword(password)
    return null
  }
  const known = await store.findOperator(db(), { email })
  const device = await knownDevice(db(), { email, cookies: browser.cookies ?? null, isFull: false })
  const begun = await beginAttempt(passwordAttempt(email, { address: browser.address, device }))
  if (!begun) {
    await isNoPassword(password)
    return null
  }
  const isRight = known ? await isPassword(known.passwordHash, password) : await isNoPassword(password)
  const next = known && isRight ? await openHalf(known, begun, browser) : null
  if (!next) await enqueueLock(email, begun, browser)
  return next
}

/** Begins the session of an operator whose password is right. Null if the operator's password changed meanwhile. */
async function openHalf(known: store.Operator, begun: Begun, browser: Browser): Promise<Next | null> {
  return db().$transaction(async (sql) => {
    const operator = await store.lockOperator(sql, known.id)
    // The former password gives no access after a change.
    if (operator?.passwordHash !== known.passwordHash) return null
    await succeeded(sql, begun)
    return beginSession(sql, operator.id, browser)
  })
}

/** A task writes the entry of a lock. The task looks the account up, so the time of the response does not reveal it. */
async function enqueueLock(email: string, { failures }: Begun, { address }: Browser): Promise<void> {
  const { count, lockedUntil } = failures
  if (!lockedUntil) return
  const key = newId('task_', realNow())
  const data = {
    key,
    sealedEmail: sealAddress(email, key),
    address,
    failedLogins: count,
    lockedUntil: toWire(lockedUntil),
  }
  await transact(everywhere, (tx) => tx.enqueue(recordPasswordLock, { key, data, dueAt: realNow() }))
}

/** The second half of a log-in: a code, or at the first log-in the set-up of the second factor. Null for any other browser. */
export async function secondFactorPage(cookies: string | null): Promise<SecondFactorPage | null> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'half') return null
  const { operator } = found
  if (operator.totpSince) return { kind: 'code', isReadable: store.openTotpSecret(operator) !== null }
  const secret = await secretToSetUp(found.session.id, operator.id)
  if (secret === null) return { kind: 'code', isReadable: true }
  const picture = renderSVG(totpUri(secret, operator.email), { border: 2 })
  return { kind: 'set_up', picture, secret, recoveryCodes: recoveryCodes(secret) }
}

/**
 * The secret that a session sets up, the same each time that its page is shown. Each session has its own secret:
 * another person who knows the password sees a different secret. Null if the second factor was confirmed meanwhile.
 */
function secretToSetUp(sessionId: string, operatorId: string): Promise<string | null> {
  return db().$transaction(async (sql) => {
    const operator = await store.lockOperator(sql, operatorId)
    if (!operator || operator.totpSince) return null
    const known = await store.openSessionSecret(sql, sessionId)
    if (known !== null) return known
    const secret = newTotpSecret()
    await store.saveSessionSecret(sql, sessionId, secret)
    return secret
  })
}

/**
 * Takes a code of the second factor, or a recovery code. The session then gets a new secret, so that a secret that an
 * attacker planted in the browser before is useless.
 */
export async function submitSecondFactor(form: URLSearchParams, cookies: string | null): Promise<Next> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'half') return { redirectTo: found ? '/admin' : signIn }
  const { session } = found
  const refused = { redirectTo: `${secondFactor}?refused` }
  const { email } = found.operator
  const device = await knownDevice(db(), { email, cookies, isFull: true })
  const begun = await beginAttempt(codeAttempt(session.operatorId, { address: session.address, device }))
  if (!begun) return refused
  const { secret, hash } = newSecret()
  const opened = await transact(everywhere, async (tx) => {
    const { sql } = tx
    const operator = await store.lockOperator(sql, session.operatorId)
    const now = realNow()
    const next = operator && (await afterCode(tx, { operator, code: form.get('code') ?? '', session }, now))
    if (!operator || !next) return null
    await succeeded(sql, begun)
    await store.saveOperator(sql, next.operator)
    await store.verifySession(sql, session.id, { hash, at: now })
    // Ends the other sessions that were about to set up a second factor.
    if (!operator.totpSince) await store.endHalfSessions(sql, operator.id, now)
    const deviceCookie = await rememberDevice(sql, { operatorId: operator.id, cookies, isVerified: true, now })
    const actor = actorOf({ session, operator })
    const action = operator.totpSince ? 'operator.log_in' : 'operator.set_up_second_factor'
    await writeAudit(sql, actor, { action, subject: operator.id, before: null, after: { session: session.id } })
    if (!operator.totpSince)
      await announceSignIn(tx, action, operator, {
        of: 'secondFactorSetUp',
        at: toWire(now),
        url: pageUrl(forgottenPath),
      })
    // An email about the recovery code says that somebody signed in.
    else if (!next.isRecoveryCode) await announceNewBrowser(tx, { operator, device, address: session.address, now })
    return { deviceCookie }
  })
  if (opened) return { redirectTo: '/admin', cookie: sessionCookie(operatorCookie, secret, 'Strict'), ...opened }
  await recordLock(found.operator, begun, session)
  return refused
}

/** Writes the audit log entry of a lock after wrong codes. */
export async function recordLock(
  operator: store.Operator,
  { failures }: Begun,
  session: { address: string },
): Promise<void> {
  const { count, lockedUntil } = failures
  if (!lockedUntil) return
  const after = { failedLogins: count, lockedUntil }
  const change = { action: 'operator.locked', subject: operator.id, before: null, after }
  await db().$transaction((sql) => writeAudit(sql, actorOf({ session, operator }), change))
}

/** Writes the audit log entry of a lock after wrong passwords, if the address has an account. */
export async function recordPasswordLockOf(
  tenant: TaskContext,
  { key, sealedEmail, address, failedLogins, lockedUntil }: z.infer<typeof recordPasswordLock.data>,
): Promise<void> {
  await transact(tenant, async ({ sql }) => {
    const operator = await store.findOperator(sql, { email: unsealAddress(sealedEmail, key) })
    if (!operator) return
    const change = { action: 'operator.locked', subject: operator.id, before: null }
    await writeAudit(sql, actorOf({ session: { address }, operator }), {
      ...change,
      after: { failedLogins, lockedUntil },
    })
  })
}
