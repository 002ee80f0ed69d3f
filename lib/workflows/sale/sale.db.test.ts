import { beforeAll, describe, expect, it } from 'vitest'
import * as checkoutRoute from '@/app/v1/checkouts/[id]/route.ts'
import * as checkoutRoutes from '@/app/v1/checkouts/route.ts'
import * as productRoutes from '@/app/v1/one-off-products/route.ts'
import * as orderRoute from '@/app/v1/orders/[id]/route.ts'
import * as planRoutes from '@/app/v1/subscription-plans/route.ts'
import * as subscriptionRoutes from '@/app/v1/subscriptions/route.ts'
import { orderOfCheckout } from '../../modules/orders/store.ts'
import { db } from '../../platform/db/db.ts'
import { aShop, call, eventsOf, type Shop } from '../../testing/shop.ts'
import { chooseOutcome } from '../test-payment-page/submit-test-payment.ts'
import { checkoutPage } from './load-checkout.ts'
import { quote } from './load-quote.ts'
import { submitCheckout } from './submit-checkout.ts'

const visitor = { acceptLanguage: 'de-DE', header: () => null }
const token = (url: string) => url.slice(url.lastIndexOf('/') + 1)
const buyer = {
  email: 'Ada@Example.com',
  fullName: 'Ada Lovelace',
  country: 'DE',
  taxId: 'DE123',
  paymentMethod: 'creditcard',
}

let shop: Shop
let planId: string
let productId: string

beforeAll(async () => {
  shop = await aShop({ at: '2026-12-01T00:00:00Z' })
  const key = shop.testKey
  const price = (value: string) => ({ value, currency: 'EUR' })
  const plan = await call(planRoutes.POST, 'POST', '/v1/subscription-plans', {
    key,
    body: {
      name: 'Pro',
      description: 'Pro plan',
      basePrice: price('10.00'),
      productType: 'saas',
      interval: 'month',
      intervalCount: 1,
    },
  })
  expect(plan).toMatchObject({ status: 201, body: { status: 'active' } })
  planId = plan.body.id
  const product = await call(productRoutes.POST, 'POST', '/v1/one-off-products', {
    key,
    body: { name: 'Setup', description: 'Setup help', basePrice: price('100.00'), productType: 'saas' },
  })
  expect(product.status).toBe(201)
  productId = product.body.id
})

async function aCheckout(body: object = {}) {
  const reply = await call(checkoutRoutes.POST, 'POST', '/v1/checkouts', {
    key: shop.testKey,
    body: {
      products: [{ id: planId, quantity: 2 }, { id: productId }],
      redirectUrlSuccess: 'https://shop.example/ok?c={CHECKOUT_ID}',
      redirectUrlCanceled: 'https://shop.example/no',
      ...body,
    },
  })
  expect(reply.body).toMatchObject({ status: 'created', orderId: null })
  expect(reply.status).toBe(201)
  return reply.body
}

describe('the initial country of the form', () => {
  const visitorFrom = (acceptLanguage: string) => ({ acceptLanguage, header: () => null })

  it.each([
    ['sv-SE,sv;q=0.9,en-US;q=0.8', 'SE', '150.00'],
    ['ja,en-US;q=0.9,en;q=0.8', '', '120.00'],
    ['de', '', '120.00'],
  ])(
    'for Accept-Language %s, the checkout form shows the country %j and the total %s',
    async (acceptLanguage, country, total) => {
      const { links } = await aCheckout()
      const reader = visitorFrom(acceptLanguage)
      const page = await checkoutPage(token(links.checkoutUrl.href), reader)
      expect(page).toMatchObject({ form: { country }, quote: { country: country || null, total: { value: total } } })
      const asked = await quote(token(links.checkoutUrl.href), new URLSearchParams(), reader)
      expect(asked?.country).toBe(country || null)
    },
  )

  it('the prefilled country has priority over the country of the browser', async () => {
    const { links } = await aCheckout({ billingAddress: { country: 'PL' } })
    const page = await checkoutPage(token(links.checkoutUrl.href), visitorFrom('sv-SE'))
    expect(page).toMatchObject({ form: { country: 'PL' } })
  })

  it('a form without a country is refused, and the page asks for a country', async () => {
    const { id, links } = await aCheckout()
    const next = await submitCheckout(
      token(links.checkoutUrl.href),
      new URLSearchParams({ ...buyer, country: '' }),
      visitor,
    )
    expect(next?.redirectTo).toMatch(/#problems$/)
    expect(await checkoutPage(token(links.checkoutUrl.href), visitor)).toMatchObject({
      problems: { country: { code: 'required' } },
      quote: { country: null },
    })
    expect(await orderOfCheckout(db(), id)).toBeNull()
  })
})

describe('a sale', () => {
  it('a sale is paid once, and creates an order, an invoice, a subscription, and the events of the sale', async () => {
    const checkout = await aCheckout()
    const link = token(checkout.links.checkoutUrl.href)
    const page = await checkoutPage(link, visitor)
    expect(page).toMatchObject({ state: 'open', locale: 'de', quote: { country: 'DE', total: { value: '142.80' } } })

    const next = await submitCheckout(link, new URLSearchParams(buyer), visitor)
    expect(next?.redirectTo).toMatch(/^\/pay\//)
    const paid = await chooseOutcome(
      token(next?.redirectTo ?? ''),
      new URLSearchParams({ outcome: 'paid', mandate: 'valid' }),
    )
    expect(paid?.redirectTo).toBe(`https://shop.example/ok?c=${checkout.id}`)

    const after = await call(checkoutRoute.GET, 'GET', `/v1/checkouts/${checkout.id}`, {
      key: shop.testKey,
      params: { id: checkout.id },
    })
    expect(after.body).toMatchObject({
      status: 'paid',
      orderId: expect.stringMatching(/^order_/),
      customerId: expect.stringMatching(/^customer_/),
    })
    const order = await call(orderRoute.GET, 'GET', `/v1/orders/${after.body.orderId}`, {
      key: shop.testKey,
      params: { id: after.body.orderId },
    })
    expect(order.body).toMatchObject({
      status: 'paid',
      invoiceNumber: 'TEST-INV-2026-000001',
      total: { value: '120.00', currency: 'EUR' },
      taxSummary: [
        { taxRate: { name: 'Reverse charge', percentage: 0, taxablePercentage: 100 }, amount: { value: '0.00' } },
      ],
      customerDetails: { email: 'ada@example.com', taxId: 'DE123', city: null },
    })
    const subscriptions = await call(subscriptionRoutes.GET, 'GET', '/v1/subscriptions', { key: shop.testKey })
    expect(subscriptions.body.data).toMatchObject([
      {
        status: 'active',
        quantity: 2,
        basePrice: { value: '10.00' },
        mandate: { method: 'card', maskedIdentifier: '4242' },
      },
    ])
    expect(order.body.lines).toMatchObject([
      {
        productType: 'subscription',
        productId: subscriptions.body.data[0].id,
        basePrice: { value: '10.00' },
        subtotal: { value: '20.00' },
      },
      { productType: 'one_off_product', productId },
    ])
    expect(await eventsOf(shop)).toEqual(['checkout.paid', 'subscription.started', 'order.paid'])

    expect(await checkoutPage(link, visitor)).toMatchObject({
      state: 'paid',
      paidAt: expect.stringMatching(/Z$/),
      invoiceNumber: 'TEST-INV-2026-000001',
      receipt: {
        items: [
          { quantity: 2, total: { value: '20.00', currency: 'EUR' } },
          { quantity: 1, total: { value: '100.00', currency: 'EUR' } },
        ],
        orderNumber: null,
        cancelable: 'now',
        cancelUrl: expect.stringMatching(/^\/portal\/sign-in\/.+\?cancel$/),
        nextCharges: [{ quantity: 2, total: { value: '20.00' }, at: subscriptions.body.data[0].nextRenewalAt }],
      },
    })
  })

  it('while a direct debit is pending, the checkout page shows the purchase and the next charge', async () => {
    const checkout = await aCheckout()
    const link = token(checkout.links.checkoutUrl.href)
    const form = new URLSearchParams({ ...buyer, paymentMethod: 'directdebit', timeZone: 'Asia/Tokyo' })
    const next = await submitCheckout(link, form, visitor)
    await chooseOutcome(token(next?.redirectTo ?? ''), new URLSearchParams({ outcome: 'paid', mandate: 'valid' }))
    const page = await checkoutPage(link, visitor)
    if (page?.state !== 'pending') throw new Error(`the page is ${page?.state}`)
    expect(page.receipt).toMatchObject({
      orderNumber: expect.stringMatching(/^order_/),
      cancelable: 'once_paid',
      items: [{ total: { value: '20.00' } }, { total: { value: '100.00' } }],
      nextCharges: [{ quantity: 2, total: { value: '20.00' } }],
      timeZone: 'Asia/Tokyo',
    })
    const [charge] = page.receipt.nextCharges
    expect(charge?.at.slice(11)).toBe(page.settlesBefore.slice(11))
    expect(Date.parse(charge?.at ?? '')).toBeGreaterThan(Date.parse(page.settlesBefore))
  })
})
