import { cookieOf } from '../../platform/http/cookies.ts'
import { type Next, operatorCookie, secondFactor } from './begin-session.ts'
import { wantedPage, withWanted } from './rules/wanted.ts'

/** The page after a form of the log-in. The wanted page is carried through both halves and is the last target. */
export function towardsWanted(form: URLSearchParams, next: Next): Next {
  const wanted = wantedPage(form.get('to'))
  if (wanted === null) return next
  const { redirectTo } = next
  if (redirectTo === '/admin') return { ...next, redirectTo: wanted }
  const isOfLogIn = ['/admin/sign-in', secondFactor].includes(redirectTo.split('?')[0] ?? '')
  return isOfLogIn ? { ...next, redirectTo: withWanted(redirectTo, wanted) } : next
}

/**
 * Whether a browser followed a link from another site, for example from webmail. The browser sends no session cookie with such a
 * request.
 */
export const mayLackCookie = (method: string, headers: Pick<Headers, 'get'>): boolean =>
  method === 'GET' &&
  headers.get('sec-fetch-site') === 'cross-site' &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document' &&
  cookieOf(headers.get('cookie'), operatorCookie) === null
