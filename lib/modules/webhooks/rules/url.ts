import { parseHttpUrl } from '../../../kernel/url.ts'

/**
 * The form in which URLs of endpoints are compared (RFC 3986, 6.2.2): two URLs with the same form reach the same
 * endpoint. The dot at the end of a host and a fragment are removed.
 */
export function normalizedUrl(url: string): string {
  const parsed = parseHttpUrl(url)
  if (!parsed) return url
  parsed.hash = ''
  parsed.hostname = parsed.hostname.replace(/\.$/, '')
  return parsed.href.replaceAll(/%[\da-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase()
  })
}
