import { renderSVG } from 'uqr'
import { isNewUse } from '../../kernel/browser-session.ts'
import { canonicalEmail } from '../../kernel/email.ts'
import { locales } from '../../kernel/locale.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { newSecret, secretHashIn } from '../../platform/http/browser-secret.ts'
import { endedCookie, sessionCookie } from '../../platform/http/cookies.ts'
import { formStateOf, leaveFor } from '../../platform/http/form-state.ts'
import { Busy } from '../../platform/work-queue.ts'
import type { Actor } from '../audit/rules/entry.ts'
import { writeAudit } from '../audit/write.ts'
import { type Browser, beginSession, type Next, operatorCookie, passwords, secondFactor } from './begin-session.ts'
import { afterCode } from './check-code.ts'
import type { SecondFactorPage, SessionsPage } from './page.ts'
import { hashPassword, isNoPassword, isOutdated, isPassword } from './password.ts'
import { isLocked, lockedForMs } from './rules/lock.ts'
import { isFresh, type OperatorSession, sessionState } from './rules/session.ts'
import { newTotpSecret, recoveryCodes, totpUri } from './second-factor.ts'
import * as store from './store.ts'

export { wantedPage, withWanted } from './rules/wanted.ts'
export { mayLackCookie, towardsWanted } from './wanted.ts'

export const signIn = '/admin/sign-in'

interface SignedIn {
  readonly session: OperatorSession
  readonly operator: store.Operator
  readonly state: 'open' | 'half'
}

/** Who a browser is, as far as it is signed in. Null if it is not. */
export async function findSignedIn(cookies: string | null): Promise<SignedIn | null> {
  const hash = secretHashIn(cookies, operatorCookie)
  const session = hash && (await store.findSession(db(), hash))
  const state = session ? sessionState(session, realNow()) : 'over'
  if (!session || state === 'over') return null
  const operator = await store.findOperator(db(), { id: session.operatorId })
  return operator && { session, operator, state }
}

/** A person who is logged in to the admin area. */
export interface SignedInPerson {
  readonly actor: Actor
  readonly email: string
  /** Of a member of a merchant; null for the service's own staff. */
  readonly membership: store.Membership | null
}

/** One of the service's own staff; null for anybody else, members of merchants included. */
export async function staffOf(cookies: string | null): Promise<SignedInPerson | null> {
  const person = await personOf(cookies)
  return person?.membership === null ? person : null
}

/** The person of a browser who gave both factors; each use keeps the session open. Null for anybody else. */
export async function personOf(cookies: string | null): Promise<SignedInPerson | null> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return null
  const { session, operator } = found
  const now = realNow()
  if (isNewUse(session, now)) await store.recordUse(db(), session.id, now)
  return { actor: actorOf(found), email: operator.email, membership: operator.membership }
}

export const actorOf = ({ session, operator }: { session: { address: string }; operator: store.Operator }): Actor => ({
  kind: operator.membership ? 'member' : 'operator',
  id: operator.id,
  address: session.address,
})

/** Where a browser that may not see a page has to go: to the log-in, or to its second half. Null if it may. */
export async function wayIn(cookies: string | null): Promise<string | null> {
  const found = await findSignedIn(cookies)
  return found?.state === 'open' ? null : found ? secondFactor : signIn
}

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
async function beginAttempt(operatorId: string): Promise<store.Operator | null> {
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
async function recordLock(operator: store.Operator, session: { address: string }): Promise<void> {
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

/** Whether money leaves only with another code: the second factor of the browser's session was given too long ago. */
export async function needsCode(cookies: string | null): Promise<boolean> {
  const found = await findSignedIn(cookies)
  return !found || !isFresh(found.session, realNow())
}

/**
 * Whether a person who is signed in gives a right code of the second factor once more, as before money leaves. A wrong one
 * counts as a failed log-in does.
 */
export async function confirmsCode(code: string, cookies: string | null): Promise<boolean> {
  const found = await findSignedIn(cookies)
  const begun = found?.state === 'open' ? await beginAttempt(found.operator.id) : null
  if (!found || !begun) return false
  const isRight = await db().$transaction(async (sql) => {
    const operator = await store.lockOperator(sql, found.operator.id)
    const next = operator && (await afterCode(sql, operator, code, realNow()))
    if (!next) return false
    await store.saveOperator(sql, { ...next, failedLogins: 0, lockedUntil: null })
    await store.confirmSession(sql, found.session.id, realNow())
    return true
  })
  if (!isRight) await recordLock(begun, found.session)
  return isRight
}

/** Ends the session of a browser. */
export async function signOut(cookies: string | null): Promise<Next> {
  const found = await findSignedIn(cookies)
  if (found) await endOwn(found, found.session.id)
  return { redirectTo: `${signIn}?signed-out`, cookie: endedCookie(operatorCookie) }
}

/** The open sessions of a browser's operator. Null without an open session. */
export async function sessionsPage(cookies: string | null): Promise<SessionsPage | null> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return null
  const now = realNow()
  const sessions = await store.sessionsOf(db(), found.operator.id, 50)
  return {
    language: found.operator.locale,
    sessions: sessions
      .filter((each) => sessionState(each, now) === 'open')
      .map(({ id, address, browser, createdAt, lastUsedAt }) => ({
        id,
        address,
        browser,
        isThis: id === found.session.id,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
      })),
  }
}

/** Chooses the language of the emails to a browser's own operator. Any other text changes nothing. */
export async function submitLanguage(form: URLSearchParams, cookies: string | null): Promise<Next> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return { redirectTo: signIn }
  const locale = locales.find((each) => each === form.get('language'))
  if (!locale) return { redirectTo: '/admin/sessions' }
  await db().$transaction(async (sql) => {
    const operator = await store.lockOperator(sql, found.operator.id)
    if (!operator || operator.locale === locale) return
    await store.saveLocale(sql, operator.id, locale)
    const change = { action: 'operator.change_language', subject: operator.id }
    await writeAudit(sql, actorOf(found), { ...change, before: { locale: operator.locale }, after: { locale } })
  })
  return { redirectTo: '/admin/sessions?done=languageChanged' }
}

/** Ends a session of a browser's own operator. */
export async function submitEndSession(id: string, cookies: string | null): Promise<Next> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return { redirectTo: signIn }
  await endOwn(found, id)
  return { redirectTo: '/admin/sessions' }
}

async function endOwn({ session, operator }: Pick<SignedIn, 'session' | 'operator'>, id: string): Promise<void> {
  await db().$transaction(async (sql) => {
    if ((await store.endSessions(sql, { operatorId: operator.id, id }, realNow())) === 0) return
    const change = { action: 'operator.end_session', subject: id, before: null, after: null }
    await writeAudit(sql, actorOf({ session, operator }), change)
  })
}
