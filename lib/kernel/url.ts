import { asciiDomain } from './domain.ts'

/** Parses a URL; null if invalid. In Node.js 20, a compiled call of `URL.canParse` rejects URLs with an umlaut. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

const parts = /^(https?:\/\/)([^/?#]*@)?(\[[^/?#@[\]]*\]|[^/?#@[\]:]*)((?::\d*)?(?:[/?#].*)?)$/isu

/**
 * Parses an absolute http or https URL; null if it is invalid. Its host is checked by `asciiDomain`, whatever the
 * runtime's own parser accepts, so that a URL is valid on every version of Node.js or on none, and means the same host.
 */
export function parseHttpUrl(text: string): URL | null {
  // Parsers drop or convert these characters before they read the host: the checked host would not be the requested
  // one.
  if (/[\s\\\p{Cc}]/u.test(text) || !text.isWellFormed()) return null
  const [, scheme, userInfo = '', host = '', rest = ''] = parts.exec(text) ?? []
  const asciiHost = host.startsWith('[') ? host : asciiName(host)
  if (scheme === undefined || asciiHost === null) return null
  // In a path, version 24 of Node.js encodes this character, and version 20 does not.
  const encoded = rest.replace(/^[^?#]*/, (path) => path.replaceAll('^', '%5E'))
  return parseUrl(`${scheme}${userInfo}${asciiHost}${encoded}`)
}

/** A host name in ASCII; null if it is invalid. The input can be percent-encoded and can end with a dot. */
function asciiName(host: string): string | null {
  const name = percentDecoded(host)
  if (name === null) return null
  const isAbsolute = name.endsWith('.')
  const ascii = asciiDomain(isAbsolute ? name.slice(0, -1) : name)
  return ascii === null ? null : `${ascii}${isAbsolute ? '.' : ''}`
}

/** Whether a URL has a part for user name and password, even an empty one: `https://@host/`. */
export const hasUserInfo = (url: string): boolean => /^[^/?#]*\/\/[^/?#]*@/.test(url)

/** Decodes percent-encoding; null if the result is not UTF-8. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
