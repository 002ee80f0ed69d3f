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

/** An unknown email address, a wrong password, and a locked account get the same response after the same time. */
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

export const typedAtSignIn = (form: string | null, cookies: string | null): string =>
  formStateOf(signIn, form, cookies).typed.email ?? ''

/** Returns null if the log-in is refused. An unknown email address causes the same steps as a known email address. */
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

async function openHalf(known: store.Operator, begun: Begun, browser: Browser): Promise<Next | null> {
  return db().$transaction(async (sql) => {
    const operator = await store.lockOperator(sql, known.id)
    if (operator?.passwordHash !== known.passwordHash) return null
    await succeeded(sql, begun)
    return beginSession(sql, operator.id, browser)
  })
}

/** A task looks up the account, so that the response time does not reveal whether an account exists. */
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

/**
 * Returns the page that asks for a code or, at the first log-in, the page that sets up the second factor. Returns null
 * if the password is still missing, or if the log-in is complete.
 */
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
 * Returns the secret with which the operator sets up a second factor. Null if the operator already has a second factor or was removed. Repeated calls for one
 * session return the same secret. Each session has a different secret, so that a stranger who knows the password cannot see the operator's secret.
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
 * Checks the second factor of a log-in. Replaces the secret of the session cookie, because an attacker could have
 * placed a cookie with a known secret in the browser before the log-in.
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
    // The email about the recovery code already reports the sign-in.
    else if (!next.isRecoveryCode) await announceNewBrowser(tx, { operator, device, address: session.address, now })
    return { deviceCookie }
  })
  if (opened) return { redirectTo: '/admin', cookie: sessionCookie(operatorCookie, secret, 'Strict'), ...opened }
  await recordLock(found.operator, begun, session)
  return refused
}

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

export async function recordPasswordLockOf(
  tenant: TaskContext,
  { key, sealedEmail, address, failedLogins, lockedUntil }: z.infer<typeof recordPasswordLock.data>,
): Promise<void> {
  await transact(tenant, async ({ sql }) => {
    const email = unsealAddress(sealedEmail, key)
    const operator = email === null ? null : await store.findOperator(sql, { email })
    if (!operator) return
    const change = { action: 'operator.locked', subject: operator.id, before: null }
    await writeAudit(sql, actorOf({ session: { address }, operator }), {
      ...change,
      after: { failedLogins, lockedUntil },
    })
  })
}
