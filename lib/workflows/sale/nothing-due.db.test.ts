import { afterAll, describe, expect, test } from 'vitest'
import { failureReasons } from '../../modules/payments/rules/failure.ts'
import { testMethods } from '../../modules/payments/rules/method.ts'
import { aCheckout, aPlan, aProduct, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { billingToken, booksOf, chooseMethod, onProvidersPage } from '../../testing/scenarios.ts'
import { aShop, eventsOf, type Shop, tokenOf } from '../../testing/shop.ts'
import {
  ask,
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
} from '../../testing/subscription-scenario.ts'
import { loadBillingUpdate } from '../billing-update/load-billing-update.ts'
import { submitBillingUpdate } from '../billing-update/submit-billing-update.ts'
import { activateMandate } from '../test-helpers/mandates.ts'
import { loadTestPayment } from '../test-payment-page/load-test-payment.ts'
import { checkoutPage } from './load-checkout.ts'
import { quote } from './load-quote.ts'
import { submit } from './submit-checkout.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const visitor = { acceptLanguage: 'en', header: () => null }
const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'DE', taxId: 'DE1' }
const started = ['checkout.paid', 'subscription.started', 'order.paid']

async function aSale(products: (shop: Shop) => Promise<object[]>) {
  const shop = await aShop({ at: '2027-06-01T00:00:00Z' })
  const checkout = await aCheckout(shop.testKey, '', { products: await products(shop) })
  const token = tokenOf(checkout.links.checkoutUrl.href)
  const pay = (form: Record<string, string> = {}) => submit(token, new URLSearchParams({ ...buyer, ...form }), visitor)
  return { shop, key: shop.testKey, id: checkout.id, token, pay, success: checkout.redirectUrlSuccess }
}
type Sale = Awaited<ReturnType<typeof aSale>>

const aTrial = () =>
  aSale(async ({ testKey }) => [{ id: (await aPlan(testKey, { basePrice: price('100.00') })).id, trialDays: 14 }])
const aGift = () => aSale(async ({ testKey }) => [{ id: (await aProduct(testKey, { basePrice: price('0.00') })).id }])
const aFreePlan = (item: object = {}) =>
  aSale(async ({ testKey }) => [{ id: (await aPlan(testKey, { basePrice: price('0.00') })).id, ...item }])

async function openPage(token: string) {
  const page = await checkoutPage(token, visitor)
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  return page
}

const checkoutOf = ({ key, id }: Sale) => get(key, `/v1/checkouts/${id}`)
async function lifeOf({ shop, key }: Sale): Promise<Scenario> {
  const [subscription] = (await get(key, '/v1/subscriptions')).data
  return {
    shop,
    key,
    planId: subscription.subscriptionPlanId,
    id: subscription.id,
    customerId: subscription.customerId,
  }
}

describe('a trial', () => {
  test('a trial must be confirmed again if its later price differs from the price that the buyer saw', async () => {
    const sale = await aTrial()
    const page = `/checkout/${sale.token}`
    const seenPrices = (await openPage(sale.token)).quote.prices
    expect(seenPrices).toBe('0.00 EUR, 100.00 EUR')
    const french = { country: 'FR', taxId: '', paymentMethod: 'creditcard' }
    expect(await sale.pay({ ...french, seenPrices })).toEqual({ redirectTo: page })
    const { quote, notice } = await openPage(sale.token)
    expect({ notice, prices: quote.prices }).toEqual({
      notice: { kind: 'total_changed' },
      prices: '0.00 EUR, 120.00 EUR',
    })
    expect(await sale.pay({ ...french, seenPrices: quote.prices })).not.toEqual({ redirectTo: page })
  })

  test('the dates of a trial use the country’s time zone until a script sends the browser’s time zone', async () => {
    const sale = await aTrial()
    for (const [country, timeZone] of [
      ['DE', 'Europe/Berlin'],
      ['ES', null],
    ] as const) {
      await sale.pay({ country, fullName: '' })
      expect((await openPage(sale.token)).quote.timeZone).toBe(timeZone)
    }
    await sale.pay({ country: 'DE', fullName: '', timeZone: 'Asia/Tokyo' })
    expect((await openPage(sale.token)).quote.timeZone).toBe('Asia/Tokyo')
  })

  test.each(testMethods)('a trial starts after %s is verified on the provider’s page', async (method) => {
    const sale = await aTrial()
    expect((await openPage(sale.token)).quote).toMatchObject({ asksForMethod: true, total: { value: '0.00' } })
    const next = await sale.pay({ paymentMethod: method })
    expect((await loadTestPayment(tokenOf(next?.redirectTo ?? ''))).view).toMatchObject({
      amount: { value: '0.00' },
      isVerification: true,
      outcomes: ['paid', 'failed', 'canceled', 'expired'],
    })
    expect(await eventsOf(sale.shop)).toEqual([])
    expect(await onProvidersPage(next)).toEqual({ redirectTo: sale.success })
    expect(await eventsOf(sale.shop)).toEqual(started)
    expect(await ordersOf(await lifeOf(sale))).toMatchObject([
      {
        status: 'paid',
        total: price('0.00'),
        invoiceNumber: null,
        paymentMethod: method,
        lines: [{ productType: 'auth_request_product', productId: null }],
      },
    ])
  })

  test('if the verification of a trial ends without success, the trial does not start and the form is shown again', async () => {
    const sale = await aTrial()
    const before = await checkoutOf(sale)
    const ends = [
      { outcome: 'canceled' },
      { outcome: 'expired' },
      ...failureReasons.map((failureReason) => ({ outcome: 'failed', failureReason })),
    ]
    for (const end of ends) {
      const typed = { paymentMethod: 'paypal', city: 'Delft' }
      expect(await onProvidersPage(await sale.pay(typed), end)).toEqual({ redirectTo: `/checkout/${sale.token}` })
      await drainTasks()
      expect(await checkoutOf(sale), JSON.stringify(end)).toEqual(before)
      expect(await eventsOf(sale.shop)).toEqual([])
      expect(await get(sale.key, '/v1/orders')).toMatchObject({ data: [{ status: 'pending' }] })
      expect((await get(sale.key, '/v1/subscriptions')).data).toEqual([])
      const kind = { canceled: 'payment_canceled', expired: 'payment_expired' }[end.outcome] ?? 'declined'
      expect(await openPage(sale.token)).toMatchObject({
        notice: { kind, isVerification: true },
        form: { city: 'Delft', paymentMethod: 'paypal' },
      })
    }
    expect(await onProvidersPage(await sale.pay({ paymentMethod: 'ideal' }))).toEqual({ redirectTo: sale.success })
    expect(await eventsOf(sale.shop)).toEqual(started)
    expect((await get(sale.key, '/v1/orders')).data).toHaveLength(1)
  })

  test('if the mandate is still pending at the end of a trial, the charge waits until the mandate is valid', async () => {
    const sale = await aTrial()
    await onProvidersPage(await sale.pay({ paymentMethod: 'directdebit' }), { mandate: 'pending' })
    const scenario = await lifeOf(sale)
    await pass(scenario, 'P15D')
    expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'pending', attempts: [] })
    await activateMandate(scenario.id)
    await pass(scenario, 'PT1H')
    expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'paid', attempts: ['paid'] })
  })

  test('during the verification of the payment method, the checkout of a trial can be canceled and can expire', async () => {
    const canceled = await aTrial()
    await canceled.pay({ paymentMethod: 'paypal' })
    await submit(canceled.token, new URLSearchParams({ intent: 'cancel' }), visitor)
    expect(await eventsOf(canceled.shop)).toEqual(['checkout.canceled', 'order.canceled'])
    const expired = await aTrial()
    const next = await expired.pay({ paymentMethod: 'paypal' })
    await pass(expired, 'P1D')
    expect(await eventsOf(expired.shop)).toEqual(['checkout.expired'])
    expect(await onProvidersPage(next)).toEqual({ redirectTo: `/checkout/${expired.token}` })
  })
})

describe('a free order', () => {
  test.each([{}, { paymentMethod: 'creditcard' }, { paymentMethod: 'banktransfer' }])(
    'a free order with the form %j is paid immediately without a payment method',
    async (form) => {
      const sale = await aGift()
      expect((await openPage(sale.token)).quote).toMatchObject({ asksForMethod: false, total: { value: '0.00' } })
      expect(await sale.pay(form)).toEqual({ redirectTo: sale.success })
      expect(await eventsOf(sale.shop)).toEqual(['checkout.paid', 'order.paid'])
      expect(await get(sale.key, '/v1/orders')).toMatchObject({
        data: [{ status: 'paid', paymentMethod: null, invoiceNumber: null, total: price('0.00') }],
      })
    },
  )

  test('the form of a free order asks only for an email address', async () => {
    const sale = await aGift()
    expect((await openPage(sale.token)).quote).toMatchObject({ withdrawal: null })
    const email = new URLSearchParams({ email: 'ada@example.com' })
    expect(await submit(sale.token, email, visitor)).toEqual({ redirectTo: sale.success })
    const [order] = (await get(sale.key, '/v1/orders')).data
    expect(order).toMatchObject({ status: 'paid', invoiceNumber: null, total: price('0.00') })
    expect(order.customerDetails).toMatchObject({ email: 'ada@example.com', fullName: null, country: null })
    expect(order.lines[0].taxes).toMatchObject([{ amount: price('0.00') }])
    expect(await get(sale.key, `/v1/customers/${order.customerId}`)).toMatchObject({ name: null })
  })

  test('the form of a free order reports all problems in one response', async () => {
    const sale = await aGift()
    const form = { email: 'ada', country: 'XX', fullName: 'a'.repeat(256) }
    expect((await sale.pay(form))?.redirectTo).toMatch(/#problems$/)
    expect(Object.keys((await openPage(sale.token)).problems).sort()).toEqual(['country', 'email', 'fullName'])
  })

  test('the price quote asks for a payment method for a trial, but not for a free order in any country', async () => {
    const sale = await aGift()
    for (const country of ['DE', 'US', 'XX']) {
      const query = new URLSearchParams({ country, taxId: '', currency: 'USD' })
      expect(await quote(sale.token, query, visitor)).toMatchObject({ asksForMethod: false })
    }
    const paid = await aTrial()
    expect(await quote(paid.token, new URLSearchParams({ country: 'DE' }), visitor)).toMatchObject({
      asksForMethod: true,
    })
  })
})

describe('a free plan', () => {
  test('the form of a free plan requires a country because a later price can be taxed, and requires no name', async () => {
    const sale = await aFreePlan()
    expect((await sale.pay({ country: '', fullName: '' }))?.redirectTo).toMatch(/#problems$/)
    expect((await openPage(sale.token)).problems).toEqual({ country: { code: 'required' } })
    expect(await sale.pay({ fullName: '', taxId: '' })).toEqual({ redirectTo: sale.success })
    const scenario = await lifeOf(sale)
    await ask(scenario, 'PATCH /v1/subscriptions/{id}', { price: price('10.00') })
    await pass(scenario, 'P1M')
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ total: price('11.90') })
  })

  test.each([{}, { trialDays: 14 }])(
    'a free plan with the options %j starts and renews without a payment method',
    async (item) => {
      const sale = await aFreePlan(item)
      expect(await sale.pay()).toEqual({ redirectTo: sale.success })
      expect(await eventsOf(sale.shop)).toEqual(started)
      const scenario = await lifeOf(sale)
      expect(await subscriptionOf(scenario)).toMatchObject({ mandate: null, basePrice: price('0.00') })
      await pass(scenario, 'P2M')
      expect(await ordersOf(scenario)).toMatchObject(
        [1, 2, 3].slice(0, (await ordersOf(scenario)).length).map(() => ({ status: 'paid', paymentMethod: null })),
      )
      expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active', mandate: null })
    },
  )

  test('the buyer of a free plan can change the address without choosing a payment method', async () => {
    const sale = await aFreePlan()
    await sale.pay()
    const scenario = await lifeOf(sale)
    const token = await billingToken(scenario)
    const page = (await loadBillingUpdate(token, visitor)).view
    expect(page).toMatchObject({ state: 'open', needsMethod: false, mandate: null, form: { paymentMethod: '' } })
    const form = new URLSearchParams({ fullName: 'Ada', country: 'DE', city: 'Bonn', version: '0' })
    expect(await submitBillingUpdate(token, form, visitor)).toEqual({ redirectTo: 'https://shop.example/ok' })
    expect(await subscriptionOf(scenario)).toMatchObject({ mandate: null, billingAddress: { city: 'Bonn' } })
    expect(await chooseMethod(await billingToken(scenario), 'paypal')).toEqual({
      redirectTo: 'https://shop.example/ok',
    })
    expect(await subscriptionOf(scenario)).toMatchObject({ mandate: { method: 'paypal' } })
  })

  test.each([
    { applyImmediately: true, invoiceImmediately: true },
    { applyImmediately: false, invoiceImmediately: false },
  ])('if a free subscription gets a price, the buyer is asked to add a payment method: %j', async (when) => {
    for (const isAnswered of [true, false]) {
      const sale = await aFreePlan()
      await sale.pay()
      const scenario = await lifeOf(sale)
      const change = { price: price('10.00'), ...when }
      expect(await ask(scenario, 'PATCH /v1/subscriptions/{id}', change)).toMatchObject({ status: 200 })
      const token = await billingToken(scenario)
      expect((await loadBillingUpdate(token, visitor)).view).toMatchObject({ needsMethod: true })
      await pass(scenario, when.applyImmediately ? 'P1D' : 'P1M1D')
      expect((await eventsOf(sale.shop)).at(-1)).toBe('order.payment_failed')
      if (isAnswered) {
        await chooseMethod(await billingToken(scenario), 'creditcard')
        await drainTasks()
        expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'paid', attempts: ['paid'] })
      } else {
        await pass(scenario, 'P7D')
        // An unpaid change is reverted. An unpaid renewal ends the subscription.
        expect(await subscriptionOf(scenario)).toMatchObject(
          when.applyImmediately
            ? { status: 'active', basePrice: price('0.00') }
            : { status: 'canceled', cancellationReason: 'payment_failure' },
        )
      }
    }
  })
})
