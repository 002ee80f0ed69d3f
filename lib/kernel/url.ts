import { asciiDomain } from './domain.ts'

/**
 * A URL, or null when it is none. Not by `URL.canParse`: once Node.js 20 has compiled a call of it, it takes a URL with an
 * umlaut for none.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Scheme and slashes, user information with its `@`, host, and the rest with its port. */
const parts = /^(https?:\/\/)([^/?#]*@)?(\[[^/?#@[\]]*\]|[^/?#@[\]:]*)((?::\d*)?(?:[/?#].*)?)$/isu

/**
 * An absolute http or https URL, or null when it is none. Its host is what `asciiDomain` says, whatever the runtime's own
 * parser accepts, so that a URL is valid on every version of Node.js or on none, and means the same host.
 */
export function parseHttpUrl(text: string): URL | null {
  // Parsers drop or turn these before they look at the host: what was checked would not be where a request goes.
  if (/[\s\\\p{Cc}]/u.test(text) || !text.isWellFormed()) return null
  const [, scheme, userInfo = '', host = '', rest = ''] = parts.exec(text) ?? []
  const asciiHost = host.startsWith('[') ? host : asciiName(host)
  return scheme === undefined || asciiHost === null ? null : parseUrl(`${scheme}${userInfo}${asciiHost}${rest}`)
}

/** A name as it may stand in a URL: percent-encoded, and with a dot at its end. */
function asciiName(host: string): string | null {
  const name = percentDecoded(host)
  if (name === null) return null
  const isAbsolute = name.endsWith('.')
  const ascii = asciiDomain(isAbsolute ? name.slice(0, -1) : name)
  return ascii === null ? null : `${ascii}${isAbsolute ? '.' : ''}`
}

/** Whether a URL has a place for user name and password, even an empty one: `https://@host/`. */
export const hasUserInfo = (url: string): boolean => /^[^/?#]*\/\/[^/?#]*@/.test(url)

/** Without its percent-encoding; null when that is none of UTF-8. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
