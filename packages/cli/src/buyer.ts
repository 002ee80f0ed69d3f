import { setTimeout as wait } from 'node:timers/promises'
import { CommandFailure } from './failure.ts'

export interface Buyer {
  readonly email: string
  readonly fullName: string
  readonly country: string
  readonly paymentMethod: string
}

export type Outcome = 'paid' | 'failed' | 'canceled' | 'expired'

/** Resolves when the service has applied the payment outcome. */
export async function payCheckout(
  { baseUrl, checkoutUrl }: { baseUrl: string; checkoutUrl: string },
  buyer: Buyer,
  outcome: Outcome = 'paid',
): Promise<void> {
  const page = onServer(baseUrl, checkoutUrl)
  const next = await submit(page, { ...buyer, confirmCountry: buyer.country })
  // A total of 0.00 needs no payment, so the form leads directly to the merchant's site.
  if (next.origin !== page.origin) return
  await choose(baseUrl, next, page, outcome)
}

async function choose(baseUrl: string, paymentPage: URL, page: URL, outcome: Outcome): Promise<void> {
  if (!paymentPage.pathname.includes('/pay/'))
    throw new CommandFailure('The checkout page did not lead to a payment.', {
      code: 'checkout_refused',
      why: 'The page shows a problem, or the storefront uses an external payment provider in test mode.',
      next: `Open the page and complete the payment: ${page.href}`,
    })
  await submit(onServer(baseUrl, paymentPage.href), { outcome, mandate: 'valid' })
}

export const cancelCheckout = ({ baseUrl, checkoutUrl }: { baseUrl: string; checkoutUrl: string }): Promise<URL> =>
  submit(onServer(baseUrl, checkoutUrl), { intent: 'cancel' })

export const changeBillingDetails = (
  { baseUrl, link }: { baseUrl: string; link: string },
  fields: Readonly<Record<string, string>>,
): Promise<URL> => submit(onServer(baseUrl, link), fields)

/**
 * Replaces the origin of a link with the origin of the login URL, because the public URL of the service can differ from
 * the login URL.
 */
function onServer(baseUrl: string, href: string): URL {
  const { pathname, search } = new URL(href)
  return new URL(`${pathname}${search}`, baseUrl)
}

/**
 * The maximum number of attempts to send a form. A form is sent again, because the service may restart, and because a
 * repeated form has no further effect.
 */
const mostAttempts = 8

async function submit(page: URL, fields: Readonly<Record<string, string>>): Promise<URL> {
  const target = new URL(`${page.pathname}/submit`, page)
  for (let attempts = 1; ; attempts++) {
    const answer = await post(target, fields)
    if ('location' in answer) return new URL(answer.location, page)
    if (!answer.isTemporary || attempts === mostAttempts)
      throw new CommandFailure(`The page ${target.pathname.split('/')[1]} did not accept the form.`, {
        code: 'page_refused',
        why: answer.why,
        next: 'Try again later.',
      })
    await wait((answer.waitSeconds ?? Math.min(8, 2 ** (attempts - 2))) * 1000)
  }
}

type Answer =
  | { readonly location: string }
  | { readonly isTemporary: boolean; readonly why: string; readonly waitSeconds: number | null }

async function post(target: URL, fields: Readonly<Record<string, string>>): Promise<Answer> {
  try {
    const response = await fetch(target, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'accept-language': 'en' },
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    })
    await response.arrayBuffer()
    const { status, headers } = response
    const location = headers.get('location')
    if (status >= 300 && status < 400 && location !== null) return { location }
    const waitSeconds = Math.min(60, Number(headers.get('retry-after'))) || null
    return { isTemporary: status === 429 || status >= 500, why: `The response has the status ${status}.`, waitSeconds }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { isTemporary: true, why: `The service did not respond: ${why}.`, waitSeconds: null }
  }
}
