const mostBytes = 2048
const placeholder = '{CHECKOUT_ID}'

/** Why a URL of the shop cannot be redirected to, or null. `{CHECKOUT_ID}` stands for an id where there is one. */
export function redirectUrlProblem(url: string, { hasCheckout = true } = {}): string | null {
  if (new TextEncoder().encode(url).length > mostBytes) return `Must have at most ${mostBytes} bytes.`
  const rule = 'Must be an absolute http or https URL without credentials.'
  // Browsers drop or turn these before they look at the host: what we checked would not be where they go.
  if (/[\s\\\p{Cc}]/u.test(url) || !url.isWellFormed()) return rule
  // With an id of the true form, since the placeholder may stand in the host.
  const filled = hasCheckout ? withCheckoutId(url, `checkout_${'0'.repeat(22)}`) : url
  const parsed = parse(filled)
  if (!parsed || !/^https?:\/\//i.test(url) || !['http:', 'https:'].includes(parsed.protocol)) return rule
  // What else a host may hold is of no use to a shop, and would be to whoever injects into a header.
  if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(parsed.hostname)) return rule
  return parsed.username || parsed.password || parsed.hostname === '' ? rule : null
}

/** Not by `URL.canParse`: once Node.js 20 has compiled a call of it, it takes a URL with an umlaut for none. */
function parse(url: string): URL | null {
  try {
    return new URL(url)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** The URL with every `{CHECKOUT_ID}` replaced, as plain text. */
export const withCheckoutId = (url: string, checkoutId: string): string => url.replaceAll(placeholder, checkoutId)
