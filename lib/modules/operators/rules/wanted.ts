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
/** What a form said once, on the page that it led to. */
const saidOnce = ['done', 'failed', 'form', 'to']

/** The path and the query of a page that a log-in may lead to; null for anything else, and for the overview, to which it leads anyway. */
export function wantedPage(given: string | null | undefined): string | null {
  if (!given || given.length > longest) return null
  const [path = '', query = '', ...others] = given.split('?')
  if (others.length > 0 || !ofPages.test(path) || withoutSession.test(path) || !ofQueries.test(query)) return null
  const kept = query.split('&').filter((each) => each !== '' && !saidOnce.includes(each.split('=')[0] ?? ''))
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

/** An address of the log-in with the page that is wanted. */
export function withWanted(address: string, wanted: string | null): string {
  if (wanted === null) return address
  const [path = '', hash] = address.split('#')
  return `${path}${path.includes('?') ? '&' : '?'}to=${encodeURIComponent(wanted)}${hash === undefined ? '' : `#${hash}`}`
}
