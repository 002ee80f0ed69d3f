import { cookieOf } from '../../platform/http/cookies.ts'
import { type Next, operatorCookie, secondFactor } from './begin-session.ts'
import { wantedPage, withWanted } from './rules/wanted.ts'

/**
 * Adds the requested page to the URL of the next log-in step, so that the last step can redirect to the requested page.
 */
export function towardsWanted(form: URLSearchParams, next: Next): Next {
  const wanted = wantedPage(form.get('to'))
  if (wanted === null) return next
  const { redirectTo } = next
  if (redirectTo === '/admin') return { ...next, redirectTo: wanted }
  const isOfLogIn = ['/admin/sign-in', secondFactor].includes(redirectTo.split('?')[0] ?? '')
  return isOfLogIn ? { ...next, redirectTo: withWanted(redirectTo, wanted) } : next
}

/** Whether the session cookie may be missing only because a link on another site led to the page. */
export const mayLackCookie = (method: string, headers: Pick<Headers, 'get'>): boolean =>
  method === 'GET' &&
  headers.get('sec-fetch-site') === 'cross-site' &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document' &&
  cookieOf(headers.get('cookie'), operatorCookie) === null
