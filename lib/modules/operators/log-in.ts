import { renderSVG } from 'uqr'
import { canonicalEmail } from '../../kernel/email.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { sessionCookie } from '../../platform/http/cookies.ts'
import { formStateOf, leaveFor } from '../../platform/http/form-state.ts'
import { Busy } from '../../platform/work-queue.ts'
import { writeAudit } from '../audit/write.ts'
import { type Browser, beginSession, type Next, operatorCookie, passwords, secondFactor } from './begin-session.ts'
import { afterCode } from './check-code.ts'
import type { SecondFactorPage } from './page.ts'
import { hashPassword, isNoPassword, isOutdated, isPassword } from './password.ts'
import { isLocked, lockedForMs } from './rules/lock.ts'
import { newTotpSecret, recoveryCodes, totpUri } from './second-factor.ts'
import { actorOf, findSignedIn, signIn } from './signed-in.ts'
import * as store from './store.ts'

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

/** The address that was typed into a log-in which led back to its page. */
export const typedAtSignIn = (form: string | null, cookies: string | null): string =>
  formStateOf(signIn, form, cookies).typed.email ?? ''

/** Null if it is refused. */
async function signInWith(email: string | null, password: string, browser: Browser): Promise<Next | null> {
  const known = email === null ? null : await store.findOperator(db(), { email })
  const begun = known && (await beginAttempt(known.id))
  if (!begun) {
    await isNoPassword(password)
    return null
  }
  const next = (await isPassword(begun.passwordHash, password)) ? await openHalf(begun, password, browser) : null
  if (!next) await recordLock(begun, browser)
  return next
}

/** Begins the session of an operator whose password is right. Null if it is no longer theirs. */
async function openHalf(begun: store.Operator, password: string, browser: Browser): Promise<Next | null> {
  const rehashed = isOutdated(begun.passwordHash) ? await hashPassword(password) : null
  return db().$transaction(async (sql) => {
    const operator = await store.lockOperator(sql, begun.id)
    // A password that was changed meanwhile opens nothing, and is not put back.
    if (operator?.passwordHash !== begun.passwordHash) return null
    const failedLogins = Math.max(0, operator.failedLogins - 1)
    const passwordHash = rehashed ?? operator.passwordHash
    await store.saveOperator(sql, { ...operator, passwordHash, failedLogins, lockedUntil: null })
    return beginSession(sql, operator.id, browser)
  })
}

/**
 * Counts an attempt as failed before it is made, so that any number of attempts at once are not more than one after the
 * other. Null if the account is locked.
 */
export async function beginAttempt(operatorId: string): Promise<store.Operator | null> {
  return db().$transaction(async (sql) => {
    const operator = await store.lockOperator(sql, operatorId)
    const now = realNow()
    if (!operator || isLocked(operator, now)) return null
    const failedLogins = operator.failedLogins + 1
    const lockMs = lockedForMs(failedLogins)
    const lockedUntil = lockMs === 0 ? null : new Date(now.getTime() + lockMs)
    const begun = { ...operator, failedLogins, lockedUntil }
    await store.saveOperator(sql, begun)
    return begun
  })
}

/** Writes the entry of a lock once the attempt that set it has failed: a right one lifts it, and no other begins meanwhile. */
export async function recordLock(operator: store.Operator, session: { address: string }): Promise<void> {
  const { id, failedLogins, lockedUntil } = operator
  if (!lockedUntil) return
  const change = { action: 'operator.locked', subject: id, before: null, after: { failedLogins, lockedUntil } }
  await db().$transaction((sql) => writeAudit(sql, actorOf({ session, operator }), change))
}

/** The second half of a log-in: a code, or the set-up of the second factor at the first time. Null for others. */
export async function secondFactorPage(cookies: string | null): Promise<SecondFactorPage | null> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'half') return null
  const { operator } = found
  if (operator.totpSince) return { kind: 'code', isReadable: store.openTotpSecret(operator) !== null }
  const secret = await secretToSetUp(operator.id)
  if (secret === null) return { kind: 'code', isReadable: true }
  const picture = renderSVG(totpUri(secret, operator.email), { border: 2 })
  return { kind: 'set_up', picture, secret, recoveryCodes: recoveryCodes(secret) }
}

/** The same secret each time that the page is shown, until it is confirmed. Null if it was confirmed meanwhile. */
function secretToSetUp(operatorId: string): Promise<string | null> {
  return db().$transaction(async (sql) => {
    const operator = await store.lockOperator(sql, operatorId)
    if (!operator || operator.totpSince) return null
    const known = store.openTotpSecret(operator)
    if (known !== null) return known
    const secret = newTotpSecret()
    await store.saveOperator(sql, { ...operator, sealedTotpSecret: store.sealTotpSecret(operatorId, secret) })
    return secret
  })
}

/**
 * Takes a code of the second factor, or a recovery code. The session then gets a new secret, so that one that was planted
 * in the browser before is worth nothing.
 */
export async function submitSecondFactor(form: URLSearchParams, cookies: string | null): Promise<Next> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'half') return { redirectTo: found ? '/admin' : signIn }
  const { session } = found
  const refused = { redirectTo: `${secondFactor}?refused` }
  const begun = await beginAttempt(session.operatorId)
  if (!begun) return refused
  const { secret, hash } = newSecret()
  const isRight = await db().$transaction(async (sql) => {
    const operator = await store.lockOperator(sql, session.operatorId)
    const now = realNow()
    const next = operator && (await afterCode(sql, operator, form.get('code') ?? '', now))
    if (!operator || !next) return false
    await store.saveOperator(sql, { ...next, failedLogins: 0, lockedUntil: null })
    await store.verifySession(sql, session.id, { hash, at: now })
    const actor = actorOf({ session, operator })
    const action = operator.totpSince ? 'operator.log_in' : 'operator.set_up_second_factor'
    await writeAudit(sql, actor, { action, subject: operator.id, before: null, after: { session: session.id } })
    return true
  })
  if (isRight) return { redirectTo: '/admin', cookie: sessionCookie(operatorCookie, secret, 'Strict') }
  await recordLock(begun, session)
  return refused
}
