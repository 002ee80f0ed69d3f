/**
 * A page of the admin area that somebody wanted who first has to sign in: kept in the address and in the forms of the log-in, as `to`.
 * Where it leads is read back from there, so only a path of ours is taken: letters that could name another host, or end an attribute,
 * are in none.
 */

/** Longer than the address of any of our pages. */
const longest = 1_000
const ofPages = /^\/admin(?:\/[\w-]+)+$/
const ofQueries = /^[\w\-.~%=&+:@,/]*$/
/** The way in, and what is behind links of its own. */
const withoutSession = /^\/admin\/(?:sign-in|sign-out|second-factor|invitation|password)(?:\/|$)/
/** The parameters of lists: where they begin, and what they are narrowed to. */
const ofLists = ['startingAfter', 'endingBefore', 'status', 'customer', 'endpoint']
/** Those that only here are no more than that: elsewhere a form has a field of the same name. */
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
 * The path of a page that a log-in may lead to, with the parameters of lists alone: a link that somebody made must not fill in a form, nor
 * say that one has done something. Null for anything else, and for the overview, to which a log-in leads anyway.
 */
export function wantedPage(given: string | null | undefined): string | null {
  if (!given || given.length > longest) return null
  const [path = '', query = '', ...others] = given.replaceAll("'", '%27').split('?')
  if (others.length > 0 || !ofPages.test(path) || withoutSession.test(path) || !ofQueries.test(query)) return null
  const names = [...ofLists, ...ofOnePage.flatMap(([page, name]) => (page.test(path) ? name : []))]
  const kept = query.split('&').filter((each) => names.includes(each.split('=')[0] ?? ''))
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

/** An address of the log-in with the page that is wanted. */
export function withWanted(address: string, wanted: string | null): string {
  if (wanted === null) return address
  const [path = '', hash] = address.split('#')
  return `${path}${path.includes('?') ? '&' : '?'}to=${encodeURIComponent(wanted)}${hash === undefined ? '' : `#${hash}`}`
}
