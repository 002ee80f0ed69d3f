import { expect } from 'vitest'
import { checkoutPage } from '../workflows/sale/load-checkout.ts'
import { submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { chooseOutcome } from '../workflows/test-payment-page/submit-test-payment.ts'
import { send } from './api.ts'

/** In this file, `key` selects the storefront and the mode, and `differences` are merged into the body. */

export const price = (value: string, currency = 'EUR') => ({ value, currency })

export const planBody = (differences: object = {}) => ({
  name: 'Pro',
  description: 'Everything, for a team.',
  basePrice: price('10.00'),
  productType: 'saas',
  interval: 'month',
  intervalCount: 1,
  ...differences,
})

export const productBody = (differences: object = {}) => ({
  name: 'Handbook',
  description: 'All chapters.',
  basePrice: price('24.50'),
  productType: 'ebook',
  ...differences,
})

export const checkoutBody = (productId: string, differences: object = {}) => ({
  products: [{ id: productId }],
  redirectUrlSuccess: 'https://shop.example/thanks?checkout={CHECKOUT_ID}',
  redirectUrlCanceled: 'https://shop.example/basket',
  ...differences,
})

async function made(line: string, key: string, body: object) {
  const reply = await send(line, { key, body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body
}

export const aPlan = (key: string, differences: object = {}) =>
  made('POST /v1/subscription-plans', key, planBody(differences))

export const aProduct = (key: string, differences: object = {}) =>
  made('POST /v1/one-off-products', key, productBody(differences))

let customers = 0
export const aCustomer = (key: string, differences: object = {}) =>
  made('POST /v1/customers', key, { email: `buyer-${++customers}@example.com`, ...differences })

export const aCheckout = (key: string, productId: string, differences: object = {}) =>
  made('POST /v1/checkouts', key, checkoutBody(productId, differences))

export const paymentLinkBody = (productId: string, differences: object = {}) => ({
  name: 'Pricing page',
  items: [{ id: productId }],
  ...differences,
})

export const aPaymentLink = (key: string, productId: string, differences: object = {}) =>
  made('POST /v1/payment-links', key, paymentLinkBody(productId, differences))

const visitor = { acceptLanguage: 'en', header: () => null }
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)

type LinkedCheckout = { id: string; links: { checkoutUrl: { href: string } } }

export async function checkOut(key: string, checkout: LinkedCheckout, form = {}) {
  const link = tokenOf(checkout.links.checkoutUrl.href)
  expect(await checkoutPage(link, visitor)).toMatchObject({ state: 'open' })
  const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'NL', paymentMethod: 'creditcard', ...form }
  const next = await submitCheckout(link, new URLSearchParams(buyer), visitor)
  if (next?.redirectTo.startsWith('/pay/'))
    await chooseOutcome(tokenOf(next.redirectTo), new URLSearchParams({ outcome: 'paid', mandate: 'valid' }))
  const { body } = await send(`GET /v1/checkouts/${checkout.id}`, { key })
  return body
}

export async function pay(key: string, checkout: LinkedCheckout, form = {}) {
  const body = await checkOut(key, checkout, form)
  expect(body).toMatchObject({ status: 'paid', orderId: expect.any(String), customerId: expect.any(String) })
  return body
}

export const webhookBody = (url: string, differences: object = {}) => ({
  url,
  secret: 'whsec_0123456789',
  enabledEvents: ['order.paid'],
  ...differences,
})

export const anEndpoint = (key: string, url: string, differences: object = {}) =>
  made('POST /v1/webhook-endpoints', key, webhookBody(url, differences))
