import { hasUserInfo, parseHttpUrl } from '../../../kernel/url.ts'

const mostBytes = 2048
const placeholder = '{CHECKOUT_ID}'

/** Why a URL cannot be a redirect target, or null. `{CHECKOUT_ID}` is a placeholder if there is a checkout. */
export function redirectUrlProblem(url: string, { hasCheckout = true } = {}): string | null {
  if (new TextEncoder().encode(url).length > mostBytes) return `Must have at most ${mostBytes} bytes.`
  const rule = 'Must be an absolute http or https URL without credentials.'
  // With an id of the real form, since the placeholder may be in the host.
  const filled = hasCheckout ? withCheckoutId(url, `checkout_${'0'.repeat(22)}`) : url
  return parseHttpUrl(filled) === null || hasUserInfo(filled) ? rule : null
}

/** The URL with every `{CHECKOUT_ID}` replaced, as plain text. */
export const withCheckoutId = (url: string, checkoutId: string): string => url.replaceAll(placeholder, checkoutId)
