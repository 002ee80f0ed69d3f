/**
 * Whether a form was sent from one of our pages. Only such a form may use the session.
 *
 * The header `sec-fetch-site` is trusted, because no script can set it. If the header is
 * present, the origin may be `null`, because our pages send no referrer. Browsers from before 2023 omit the header, so they must send our origin.
 */
export function isSameOrigin(headers: Pick<Headers, 'get'>, ownOrigin: string): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin === null) return false
  if (site !== null) return site === 'same-origin' && (origin === 'null' || isOwn(origin, headers, ownOrigin))
  return isOwn(origin, headers, ownOrigin)
}

/**
 * Whether a form was sent from a page of another site.
 *
 * Used for forms that need no session because their URL is secret. A request with neither `sec-fetch-site` nor `origin` is
 * accepted.
 */
export function isOtherSite(headers: Pick<Headers, 'get'>, ownOrigin: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin'
  const origin = headers.get('origin')
  return origin !== null && origin !== 'null' && !isOwn(origin, headers, ownOrigin)
}

/** Our origin is the configured origin, or the host of the request. */
const isOwn = (origin: string, headers: Pick<Headers, 'get'>, ownOrigin: string): boolean =>
  origin === ownOrigin || origin.replace(/^https?:\/\//, '') === headers.get('host')
