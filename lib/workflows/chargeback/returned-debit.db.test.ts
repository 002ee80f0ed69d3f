import { afterAll, describe, expect, test } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { aCheckout, aProduct, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { onProvidersPage } from '../../testing/scenarios.ts'
import { aShop, eventsOf, tokenOf } from '../../testing/shop.ts'
import {
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { returnDebits } from '../test-helpers/mandates.ts'
import { loadTestPayment } from '../test-payment-page/load-test-payment.ts'
import { chooseOutcome } from '../test-payment-page/submit-test-payment.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const visitor = { acceptLanguage: 'en', header: () => null }

async function atProvider(paymentMethod = 'directdebit') {
  const shop = await aShop({ at: '2027-06-01T00:00:00Z' })
  const key = shop.testKey
  const { id } = await aProduct(key, { basePrice: price('100.00') })
  const checkout = await aCheckout(key, id)
  const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'DE', taxId: 'DE1', paymentMethod }
  const next = await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), new URLSearchParams(buyer), visitor)
  return { shop, key, next, page: tokenOf(next?.redirectTo ?? '') }
}

const sold = ['checkout.paid', 'order.paid']
const chargebacksOf = async (key: string) => (await get(key, '/v1/chargebacks')).data

describe('a direct debit with the test outcome "returned"', () => {
  test('with the test outcome "returned", a direct debit is paid within minutes and returned five days later', async () => {
    const sale = await atProvider()
    expect((await loadTestPayment(sale.page)).view).toMatchObject({
      outcomes: ['paid', 'returned', 'failed', 'canceled', 'expired'],
      isVerification: false,
    })
    await onProvidersPage(sale.next, { outcome: 'returned' })
    await drainTasks()
    expect(await eventsOf(sale.shop)).toEqual([])
    await pass(sale, 'PT15M')
    expect(await eventsOf(sale.shop)).toEqual(sold)
    await pass(sale, 'P4DT23H')
    expect(await eventsOf(sale.shop)).toEqual(sold)
    await pass(sale, 'PT1H')
    expect(await eventsOf(sale.shop)).toEqual([...sold, 'order.payment_failed'])
    await pass(sale, 'P1D')
    expect(await chargebacksOf(sale.key)).toEqual([])
    expect((await get(sale.key, '/v1/orders')).data).toMatchObject([
      { status: 'pending', invoiceNumber: 'TEST-INV-2027-000001', refundableSubtotal: price('0.00') },
    ])
  })

  test('during one advance of the clock, a direct debit is paid and later returned, each at its own time', async () => {
    const sale = await atProvider()
    await onProvidersPage(sale.next, { outcome: 'returned' })
    await pass(sale, 'P30D')
    const events = await db().events.findMany({
      where: { storefront_id: sale.shop.storefrontId },
      orderBy: { id: 'asc' },
    })
    expect(events.map(({ name }) => name)).toEqual([...sold, 'order.payment_failed', 'order.canceled'])
    const days = events.map(({ created_at }) => created_at.toISOString().slice(0, 10))
    expect(days).toEqual(['2027-06-01', '2027-06-01', '2027-06-06', '2027-06-27'])
    expect(await chargebacksOf(sale.key)).toEqual([])
  })

  test('the return of a direct debit after a partial refund is a lost chargeback', async () => {
    const sale = await atProvider()
    await onProvidersPage(sale.next, { outcome: 'returned' })
    await pass(sale, 'PT1H')
    const [order] = (await get(sale.key, '/v1/orders')).data
    const items = [{ itemId: order.lines[0].id, amount: price('10.00') }]
    const refund = await send(`POST /v1/orders/${order.id}/refunds`, { key: sale.key, body: { items } })
    expect(refund.status, JSON.stringify(refund.body)).toBe(201)
    await pass(sale, 'P5DT1H')
    expect(await chargebacksOf(sale.key)).toMatchObject([{ status: 'lost', reason: 'insufficient_funds' }])
  })

  test.each(['creditcard', 'paypal', 'ideal', 'bancontact'])(
    'the outcome “returned” is neither offered nor accepted for the method %s',
    async (method) => {
      const sale = await atProvider(method)
      expect((await loadTestPayment(sale.page)).view?.outcomes).toEqual(['paid', 'failed', 'canceled', 'expired'])
      await chooseOutcome(sale.page, new URLSearchParams({ outcome: 'returned' }))
      expect((await loadTestPayment(sale.page)).view).toMatchObject({ state: 'open' })
      expect(await eventsOf(sale.shop)).toEqual([])
    },
  )
})

describe('a renewal by direct debit', () => {
  const debtor = () => subscriptionScenario({ at: '2027-06-01T00:00:00Z', buyer: { paymentMethod: 'ideal' } })
  const orderOf = async (scenario: Scenario, number: number) => (await ordersOf(scenario))[number]

  test('with the test setting for returned debits, the debit of a renewal is returned even after the simulated outcome `paid`', async () => {
    const scenario = await debtor()
    await returnDebits(scenario.id)
    await pass(scenario, 'P30DT1M')
    const { id } = await orderOf(scenario, 1)
    await send(`POST /v1/test-helpers/orders/${id}/simulate-payment`, {
      key: scenario.key,
      body: { paymentStatus: 'paid' },
    })
    await drainTasks()
    await pass(scenario, 'P6D')
    expect(await orderOf(scenario, 1)).toMatchObject({ id, status: 'pending' })
  })

  test('the test setting for returned debits is refused for a card and for an unknown subscription', async () => {
    const scenario = await subscriptionScenario()
    await expect(returnDebits(scenario.id)).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(returnDebits('subscription_0')).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
