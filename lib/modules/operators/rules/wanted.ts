/**
 * The admin page that a person requested before the sign-in. The address and the forms of the log-in carry the page as `to`. Anyone can
 * set `to`, so only paths of the admin area are accepted, without characters that could name another host or end an attribute.
 */

/** The maximum length: longer than the address of any admin page. */
const longest = 1_000
const ofPages = /^\/admin(?:\/[\w-]+)+$/
const ofQueries = /^[\w\-.~%=&+:@,/]*$/
/** The sign-in pages, and the pages behind emailed links. */
const withoutSession = /^\/admin\/(?:sign-in|sign-out|second-factor|invitation|password)(?:\/|$)/
/** The parameters of lists: the cursor and the filters. */
const ofLists = ['startingAfter', 'endingBefore', 'status', 'customer', 'endpoint']
/** Parameters that are filters on these pages only. On other pages a form has a field of the same name. */
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
 * The path of a page that a log-in may lead to, with list parameters only. A crafted link must not fill in a form or claim that a form
 * succeeded. Null for anything else, and for the overview, which is the default target of a log-in.
 */
export function wantedPage(given: string | null | undefined): string | null {
  if (!given || given.length > longest) return null
  const [path = '', query = '', ...others] = given.replaceAll("'", '%27').split('?')
  if (others.length > 0 || !ofPages.test(path) || withoutSession.test(path) || !ofQueries.test(query)) return null
  const names = [...ofLists, ...ofOnePage.flatMap(([page, name]) => (page.test(path) ? name : []))]
  const kept = query.split('&').filter((each) => names.includes(each.split('=')[0] ?? ''))
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

/** Adds the wanted page to an address of the log-in. */
export function withWanted(address: string, wanted: string | null): string {
  if (wanted === null) return address
  const [path = '', hash] = address.split('#')
  return `${path}${path.includes('?') ? '&' : '?'}to=${encodeURIComponent(wanted)}${hash === undefined ? '' : `#${hash}`}`
}
