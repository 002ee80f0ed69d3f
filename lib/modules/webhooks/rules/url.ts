import { parseHttpUrl } from '../../../kernel/url.ts'

/**
 * Returns the normalized form of a URL, without a fragment and without a dot at the end of the host. Two URLs identify
 * the same endpoint if their normalized forms are equal (RFC 3986, 6.2.2).
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
