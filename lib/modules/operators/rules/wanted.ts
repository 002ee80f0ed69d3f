/**
 * The wanted page is the admin page that a person requested before the sign-in. Anyone can set the parameter `to`, so
 * only paths of the admin area are accepted. Characters that could name another host or end an HTML attribute are
 * refused.
 */

/** The paths of all admin pages are shorter than this limit. */
const longest = 1_000
const ofPages = /^\/admin(?:\/[\w-]+)+$/
const ofQueries = /^[\w\-.~%=&+:@,/]*$/
/** Sign-in pages, and the pages of emailed links. */
const withoutSession = /^\/admin\/(?:sign-in|sign-out|second-factor|invitation|password)(?:\/|$)/
const ofLists = ['startingAfter', 'endingBefore', 'status', 'customer', 'endpoint']
/** Filters that are allowed on one page only, because form fields on other pages have the same names. */
const ofOnePage: readonly (readonly [page: RegExp, parameter: string])[] = [
  [/^\/admin\/storefronts$/, 'name'],
  [/^\/admin\/search$/, 'q'],
  [/^\/admin\/audit$/, 'subject'],
  [/^\/admin\/audit$/, 'before'],
  [/^\/admin\/thresholds$/, 'year'],
  [/\/customers$/, 'email'],
  [/\/emails\/kinds\/[\w-]+$/, 'language'],
]

/**
 * Returns the path with its list parameters. Omits other parameters, because they could fill in a form or claim that a form succeeded. Returns null for an
 * invalid path or query, for pages that need no session, and for the overview, which is the default.
 */
export function wantedPage(given: string | null | undefined): string | null {
  if (!given || given.length > longest) return null
  const [path = '', query = '', ...others] = given.replaceAll("'", '%27').split('?')
  if (others.length > 0 || !ofPages.test(path) || withoutSession.test(path) || !ofQueries.test(query)) return null
  const names = [...ofLists, ...ofOnePage.flatMap(([page, name]) => (page.test(path) ? name : []))]
  const kept = query.split('&').filter((each) => names.includes(each.split('=')[0] ?? ''))
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

export function withWanted(address: string, wanted: string | null): string {
  if (wanted === null) return address
  const [path = '', hash] = address.split('#')
  return `${path}${path.includes('?') ? '&' : '?'}to=${encodeURIComponent(wanted)}${hash === undefined ? '' : `#${hash}`}`
}
