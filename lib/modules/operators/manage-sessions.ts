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
export { actorOf, findSignedIn, personOf, type SignedInPerson, signIn, wayIn } from './signed-in.ts'
export { mayLackCookie, towardsWanted } from './wanted.ts'

export async function signOut(cookies: string | null): Promise<Next> {
  const found = await findSignedIn(cookies)
  if (found) await endOwn(found, found.session.id)
  return { redirectTo: `${signIn}?signed-out`, cookie: endedCookie(operatorCookie) }
}

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

export async function canConfirm(to: string, cookies: string | null): Promise<boolean> {
  const found = await findSignedIn(cookies)
  return found?.state === 'open' && pageToConfirm(to, found.operator.id) !== null
}

/** After a correct code, the person returns to the page of the form and submits it again. */
export async function submitConfirm(form: URLSearchParams, cookies: string | null): Promise<Next> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return { redirectTo: signIn }
  const to = form.get('to') ?? ''
  const page = pageToConfirm(to, found.operator.id)
  if (page === null) return { redirectTo: '/admin' }
  const isRight = await confirmsCode((form.get('code') ?? '').trim().slice(0, 100), cookies)
  return { redirectTo: isRight ? page : `${confirmPage}?${new URLSearchParams({ to })}&refused` }
}
