import { asciiDomain } from './domain.ts'

/** `URL.canParse` is not used, because its compiled form in Node.js 20 rejects URLs with an umlaut. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

const parts = /^(https?:\/\/)([^/?#]*@)?(\[[^/?#@[\]]*\]|[^/?#@[\]:]*)((?::\d*)?(?:[/?#].*)?)$/isu

/** `asciiDomain` checks the host first, so that all versions of Node.js accept the same URLs and read the same hosts. */
export function parseHttpUrl(text: string): URL | null {
  // Refuses characters that URL parsers drop or convert before they read the host. Otherwise, the parser would read a
  // host that was not checked.
  if (/[\s\\\p{Cc}]/u.test(text) || !text.isWellFormed()) return null
  const [, scheme, userInfo = '', host = '', rest = ''] = parts.exec(text) ?? []
  const asciiHost = host.startsWith('[') ? host : asciiName(host)
  if (scheme === undefined || asciiHost === null) return null
  // Encodes `^` in a path, because Node.js 24 encodes this character but Node.js 20 does not.
  const encoded = rest.replace(/^[^?#]*/, (path) => path.replaceAll('^', '%5E'))
  return parseUrl(`${scheme}${userInfo}${asciiHost}${encoded}`)
}

/** Returns the ASCII form of a host. The host may be percent-encoded and may end with a dot. */
function asciiName(host: string): string | null {
  const name = percentDecoded(host)
  if (name === null) return null
  const isAbsolute = name.endsWith('.')
  const ascii = asciiDomain(isAbsolute ? name.slice(0, -1) : name)
  return ascii === null ? null : `${ascii}${isAbsolute ? '.' : ''}`
}

/** Whether a URL has a user name or a password, even if both are empty: `https://@host/`. */
export const hasUserInfo = (url: string): boolean => /^[^/?#]*\/\/[^/?#]*@/.test(url)

/** Returns null if the result is not UTF-8. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
