import { locales } from '../../kernel/locale.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { endedCookie } from '../../platform/http/cookies.ts'
import { writeAudit } from '../audit/write.ts'
import { type Next, operatorCookie } from './begin-session.ts'
import { confirmPage, pageToConfirm } from './confirm.ts'
import type { SessionsPage } from './page.ts'
import { sessionState } from './rules/session.ts'
import { actorOf, findSignedIn, type SignedIn, signIn } from './signed-in.ts'
import { confirmsCode } from './step-up.ts'
import * as store from './store.ts'

export { secondFactorPage, submitSecondFactor, submitSignIn, typedAtSignIn } from './log-in.ts'
export { wantedPage, withWanted } from './rules/wanted.ts'
export { actorOf, findSignedIn, personOf, type SignedInPerson, signIn, staffOf, wayIn } from './signed-in.ts'
export { mayLackCookie, towardsWanted } from './wanted.ts'

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

/** Whether the address of the page was made here for the signed-in person. */
export async function canConfirm(to: string, cookies: string | null): Promise<boolean> {
  const found = await findSignedIn(cookies)
  return found?.state === 'open' && pageToConfirm(to, found.operator.id) !== null
}

/** Checks the code. A correct code returns the person to the form's page to send the form again. */
export async function submitConfirm(form: URLSearchParams, cookies: string | null): Promise<Next> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return { redirectTo: signIn }
  const to = form.get('to') ?? ''
  const page = pageToConfirm(to, found.operator.id)
  if (page === null) return { redirectTo: '/admin' }
  const isRight = await confirmsCode((form.get('code') ?? '').trim().slice(0, 100), cookies)
  return { redirectTo: isRight ? page : `${confirmPage}?${new URLSearchParams({ to })}&refused` }
}
