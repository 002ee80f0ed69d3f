import { cookieOf } from '../../platform/http/cookies.ts'
import { type Next, operatorCookie, secondFactor } from './begin-session.ts'
import { wantedPage, withWanted } from './rules/wanted.ts'

/** Where a form of the log-in leads: through its second half, and back to it, with the page that is wanted; in the end to that page. */
export function towardsWanted(form: URLSearchParams, next: Next): Next {
  const wanted = wantedPage(form.get('to'))
  if (wanted === null) return next
  const { redirectTo } = next
  if (redirectTo === '/admin') return { ...next, redirectTo: wanted }
  const isOfLogIn = ['/admin/sign-in', secondFactor].includes(redirectTo.split('?')[0] ?? '')
  return isOfLogIn ? { ...next, redirectTo: withWanted(redirectTo, wanted) } : next
}

/**
 * Whether a browser followed a link of another site to a page, such as one in an email that is read in it: the cookie of a session was not
 * sent along with it, if there is one.
 */
export const mayLackCookie = (method: string, headers: Pick<Headers, 'get'>): boolean =>
  method === 'GET' &&
  headers.get('sec-fetch-site') === 'cross-site' &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document' &&
  cookieOf(headers.get('cookie'), operatorCookie) === null
