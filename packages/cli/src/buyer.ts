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

/** How often a form is sent: the service may restart. A hosted page takes a form once, however often it is sent. */
const mostAttempts = 8

/** Sends a form, and returns the address to which it leads. */
async function submit(page: URL, fields: Readonly<Record<string, string>>): Promise<URL> {
  const target = new URL(`${page.pathname}/submit`, page)
  for (let attempts = 1; ; attempts++) {
    const answer = await post(target, fields)
    if ('location' in answer) return new URL(answer.location, page)
    if (!answer.isTemporary || attempts === mostAttempts)
      throw new CommandFailure(`The page ${target.pathname.split('/')[1]} did not take the form.`, {
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
    return { isTemporary: true, why: `There is no response: ${why}.`, waitSeconds: null }
  }
}
