import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'
import { hasUserInfo, parseHttpUrl } from '../../../kernel/url.ts'

const mostBytes = 2048
const placeholder = '{CHECKOUT_ID}'

/**
 * Returns the reason why a URL cannot be a redirect target, or null. `hasCheckout` says whether the placeholder `{CHECKOUT_ID}` is replaced by the id of a
 * checkout.
 */
export function redirectUrlProblem(url: string, { hasCheckout = true } = {}): RuleProblem | null {
  if (new TextEncoder().encode(url).length > mostBytes) return ruleProblem('bytes_at_most', { most: mostBytes })
  // The placeholder can be in the host name, so the check runs on the URL with a sample id.
  const filled = hasCheckout ? withCheckoutId(url, `checkout_${'0'.repeat(22)}`) : url
  return parseHttpUrl(filled) === null || hasUserInfo(filled) ? ruleProblem('web_url') : null
}

export const withCheckoutId = (url: string, checkoutId: string): string => url.replaceAll(placeholder, checkoutId)
