// biome-ignore-all lint/suspicious/noExplicitAny: the tests read responses of every shape

import { aCheckout, aPlan, cli, type Shop } from './shop.ts'
import { expect, theBuyer } from './test.ts'

/** Posts a form without a browser. Returns the redirect target. */
async function submit(page: string, form: Record<string, string>): Promise<string> {
  const answer = await fetch(`${page}/submit`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? `/${answer.status}`, page).href
}

/** Pays a checkout over HTTP. Throws if the buyer does not return to the page `success` of the shop. */
export async function payByRequest(checkoutUrl: string, success: string, buyer: Record<string, string> = {}) {
  const payment = await submit(checkoutUrl, { ...theBuyer, ...buyer })
  expect(payment).toMatch(/\/pay\//)
  expect(await submit(payment, { outcome: 'paid' })).toBe(success)
}

/** Buys a plan over HTTP. By default, a company in Germany pays 10.00 a month without tax. */
export async function buy(
  shop: Shop,
  shopUrl: string,
  {
    plan = {},
    item = {},
    more = [],
    locale = 'de',
    buyer = {},
  }: { plan?: object; item?: object; more?: object[]; locale?: string; buyer?: Record<string, string> } = {},
): Promise<any> {
  const id = await aPlan(shop, plan)
  const checkout = await aCheckout(shop, shopUrl, { products: [{ id, ...item }, ...more], locale })
  const company = { city: 'Berlin', companyName: 'Engines GmbH', taxId: 'DE1' }
  await payByRequest(checkout.url, checkout.success, { ...company, ...buyer })
  const { customerId } = await shop.api('GET', `/checkouts/${checkout.id}`)
  return (await shop.api('GET', `/customers/${customerId}/subscriptions`)).data[0]
}

/** Advances the test clock by a duration such as `P1M`, and checks that all due tasks have run. */
export async function pass(shop: Shop, by: string): Promise<void> {
  expect((await shop.api('POST', '/test-helpers/clock/advance', { by })).remaining).toBe(0)
}

export async function clockTo(shop: Shop, to: string): Promise<void> {
  expect((await shop.api('POST', '/test-helpers/clock/advance', { to })).remaining).toBe(0)
}

export const lastOrder = async (shop: Shop): Promise<any> => (await shop.api('GET', '/orders?limit=1')).data[0]

export async function emailsOf(shop: Shop): Promise<{ kind: string; to: string; subject: string; text: string }[]> {
  const emails: Awaited<ReturnType<typeof emailsOf>> = await cli('email', 'list', '--storefront', shop.storefrontId)
  return emails
    .filter(({ kind }) => /^(?:payment_failed|payment_method_needed|canceled_for_nonpayment)$/.test(kind))
    .reverse()
}

export function linkIn({ text }: { text: string }): string {
  const [url] = /http\S+\/billing-update\/\S+/.exec(text) ?? []
  if (!url) throw new Error(`no link in: ${text}`)
  return url
}

/** Lets the card expire, so that the next renewal is declined. Returns the unpaid order of the renewal. */
export async function cardExpires(shop: Shop, { id, nextRenewalAt }: { id: string; nextRenewalAt: string }) {
  await cli('mandate', 'decline', '--subscription', id, '--reason', 'card_expired')
  await clockTo(shop, nextRenewalAt)
  const order = await lastOrder(shop)
  expect(order.status).toBe('pending')
  return order
}
