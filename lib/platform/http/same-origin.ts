/**
 * Whether a form was sent by a page of ours, so that a session may be used for it. A browser says so in
 * `sec-fetch-site`, which no script can set; one that does not (before 2023) must name our own origin. Our pages send
 * no referrer, so the origin of their own forms is `null`; a request without an origin comes from no browser.
 */
export function isSameOrigin(headers: Pick<Headers, 'get'>, ownOrigin: string): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin === null) return false
  if (site !== null) return site === 'same-origin' && (origin === 'null' || isOwn(origin, headers, ownOrigin))
  return isOwn(origin, headers, ownOrigin)
}

/**
 * Whether a page of another site sent a form that needs no session, because its link is the secret. What comes from no
 * browser has neither header, and is taken.
 */
export function isOtherSite(headers: Pick<Headers, 'get'>, ownOrigin: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin'
  const origin = headers.get('origin')
  return origin !== null && origin !== 'null' && !isOwn(origin, headers, ownOrigin)
}

/** Ours is the configured origin, or the host that the request itself came to. */
const isOwn = (origin: string, headers: Pick<Headers, 'get'>, ownOrigin: string): boolean =>
  origin === ownOrigin || origin.replace(/^https?:\/\//, '') === headers.get('host')
