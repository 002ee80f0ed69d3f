/**
 * Whether one of our pages sent a form, so that its session may be used. A browser states this in `sec-fetch-site`,
 * which no script can set. Browsers from before 2023 without that header must send our own origin. Our pages send no
 * referrer, so the origin of their own forms is `null`. A request without an origin comes from no browser.
 */
export function isSameOrigin(headers: Pick<Headers, 'get'>, ownOrigin: string): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin === null) return false
  if (site !== null) return site === 'same-origin' && (origin === 'null' || isOwn(origin, headers, ownOrigin))
  return isOwn(origin, headers, ownOrigin)
}

/** For a form that needs no session, because its link is the secret. Requests without both headers are accepted. */
export function isOtherSite(headers: Pick<Headers, 'get'>, ownOrigin: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin'
  const origin = headers.get('origin')
  return origin !== null && origin !== 'null' && !isOwn(origin, headers, ownOrigin)
}

/** Our origin is the configured origin, or the host that the request was sent to. */
const isOwn = (origin: string, headers: Pick<Headers, 'get'>, ownOrigin: string): boolean =>
  origin === ownOrigin || origin.replace(/^https?:\/\//, '') === headers.get('host')
