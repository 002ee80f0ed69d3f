import { setTimeout as wait } from 'node:timers/promises'
import { CommandFailure } from './failure.ts'

/** Fills in the hosted pages as a browser without JavaScript does. */

export interface Buyer {
  readonly email: string
  readonly fullName: string
  readonly country: string
  readonly paymentMethod: string
}

export type Outcome = 'paid' | 'failed' | 'canceled' | 'expired'

/** Pays a checkout. Returns when the outcome is applied. */
export async function payCheckout(
  { baseUrl, checkoutUrl }: { baseUrl: string; checkoutUrl: string },
  buyer: Buyer,
  outcome: Outcome = 'paid',
): Promise<void> {
  const page = onServer(baseUrl, checkoutUrl)
  const next = await submit(page, { ...buyer, confirmCountry: buyer.country })
  // Nothing is due, so there is no payment.
  if (next.origin !== page.origin) return
  await choose(baseUrl, next, page, outcome)
}

/** The outcome on the page of the test provider. */
async function choose(baseUrl: string, paymentPage: URL, page: URL, outcome: Outcome): Promise<void> {
  if (!paymentPage.pathname.includes('/pay/'))
    throw new CommandFailure('The checkout page did not lead to a payment.', {
      code: 'checkout_refused',
      why: 'The page shows a problem, or the test mode of this storefront pays at a provider that is not built in.',
      next: `Open the page, and pay there: ${page.href}`,
    })
  await submit(onServer(baseUrl, paymentPage.href), { outcome, mandate: 'valid' })
}

export const cancelCheckout = ({ baseUrl, checkoutUrl }: { baseUrl: string; checkoutUrl: string }): Promise<URL> =>
  submit(onServer(baseUrl, checkoutUrl), { intent: 'cancel' })

/** Changes the billing details on the page of a link. */
export const changeBillingDetails = (
  { baseUrl, link }: { baseUrl: string; link: string },
  fields: Readonly<Record<string, string>>,
): Promise<URL> => submit(onServer(baseUrl, link), fields)

/** The page at the address of the login: the public address of a service can differ from it. */
function onServer(baseUrl: string, href: string): URL {
  const { pathname, search } = new URL(href)
  return new URL(`${pathname}${search}`, baseUrl)
}

/** Sends a form, and returns the address to which it leads. */
async function submit(page: URL, fields: Readonly<Record<string, string>>): Promise<URL> {
  const target = new URL(`${page.pathname}/submit`, page)
  for (let attempts = 1; ; attempts++) {
    const response = await fetch(target, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'accept-language': 'en' },
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    })
    await response.arrayBuffer()
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null) return new URL(location, page)
    const isBusy = response.status === 429 || response.status === 503
    if (!isBusy || attempts >= 5)
      throw new CommandFailure(`The page ${page.pathname.split('/')[1]} refused the form with ${response.status}.`, {
        code: 'page_refused',
        next: 'Try again later.',
      })
    await wait(Math.min(30, Number(response.headers.get('retry-after')) || attempts) * 1000)
  }
}
