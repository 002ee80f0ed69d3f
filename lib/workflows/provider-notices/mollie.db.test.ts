import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { POST } from '@/app/api/providers/[provider]/route.ts'
import { db } from '../../platform/db/db.ts'
import { livePaymentsState } from '../../providers/index.ts'
import { resetConnection } from '../../providers/mollie/client.ts'
import { forgetMethods } from '../../providers/mollie/methods.ts'
import { amount } from '../../testing/amount.ts'
import { send } from '../../testing/api.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aShop, buyerForm, eventsOf, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type MollieStandIn, startMollie } from '../../testing/stand-ins/mollie.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { erase } from '../erasure/operations.ts'
import { checkoutPage, submit } from '../sale/hosted.ts'
import { findMissedChargebacks } from './missed.ts'

/** Sales, renewals and money back at Mollie, which a stand-in on this machine plays over HTTP. */

const mode = vi.hoisted(() => ({ mollie: null as null | { apiKey: string; base: string } }))
vi.mock('../../platform/config.ts', async (original) => {
  const platform = await original<typeof import('../../platform/config.ts')>()
  return { ...platform, config: () => ({ ...platform.config(), mollie: mode.mollie }) }
})
// On a test clock a year passes in a moment.
vi.mock('../../providers/registry.ts', async (original) => {
  const { registry } = await original<typeof import('../../providers/registry.ts')>()
  const { mollie } = await import('../../providers/mollie/provider.ts')
  return { registry: { ...registry, ofNewPayments: { test: mollie, live: mollie } } }
})

let standIn: MollieStandIn
let shop: Shop
let planId: string
let productId: string

beforeAll(async () => {
  standIn = await startMollie()
  mode.mollie = { apiKey: standIn.apiKey, base: standIn.url }
  shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  ;({ id: planId } = await stock.aPlan(shop.testKey, { basePrice: stock.price('10.00') }))
  ;({ id: productId } = await stock.aProduct(shop.testKey))
})
afterEach(() => {
  resetConnection()
  forgetMethods()
})
afterAll(() => standIn.close())

const notify = (id: string) =>
  POST(new Request('http://localhost/api/providers/mollie', { method: 'POST', body: new URLSearchParams({ id }) }), {
    params: Promise.resolve({ provider: 'mollie' }),
  }).then(({ status }) => status)

const posts = (path: string) => standIn.requests.filter((each) => each === `POST /v2/${path}`).length
const newest = () => {
  const payment = standIn.books.payments.at(-1)
  if (!payment) throw new Error('the stand-in has no payment')
  return payment
}

/** A buyer has sent the form, and is on Mollie's page. */
async function onPage(sold = planId, paymentMethod = 'creditcard') {
  const checkout = await stock.aCheckout(shop.testKey, sold)
  const token = tokenOf(checkout.links.checkoutUrl.href)
  const sent = await submit(token, buyerForm({ paymentMethod, email: `${checkout.id}@example.com` }), germanVisitor)
  const payment = newest()
  expect(sent?.redirectTo).toBe(`${standIn.url}/checkout/${payment.id}`)
  return { checkout, token, payment }
}

async function paid(sold = planId, paymentMethod = 'creditcard') {
  const { checkout, payment, token } = await onPage(sold, paymentMethod)
  standIn.decide(payment.id, 'paid', paymentMethod === 'creditcard' ? { cardCountryCode: 'DE' } : {})
  expect(await notify(payment.id)).toBe(204)
  await runDueTasks()
  const { status, orderId } = await get(shop.testKey, `/v1/checkouts/${checkout.id}`)
  expect(status).toBe('paid')
  return { orderId, payment, token }
}

const newestOrder = async () => (await get(shop.testKey, '/v1/orders?limit=1')).data[0]

describe('a sale at Mollie', () => {
  it('is paid on its page, and renewed on the mandate that it made', async () => {
    const { payment } = await paid()
    expect(payment).toMatchObject({
      method: 'creditcard',
      sequenceType: 'first',
      amount: { currency: 'EUR', value: '11.90' },
    })
    const [subscription] = (await get(shop.testKey, '/v1/subscriptions')).data
    expect(subscription.mandate).toEqual({ method: 'card', maskedIdentifier: '6787' })
    expect(await db().payments.findFirst({ where: { provider_ref: payment.id } })).toMatchObject({ country: 'DE' })

    await pass({ key: shop.testKey }, 'P1M')
    expect(newest()).toMatchObject({ sequenceType: 'recurring', status: 'paid', mandateId: payment.mandateId })
    expect((await newestOrder()).status).toBe('paid')
    expect(await brokenInvariants()).toEqual({})
  })

  it('is found paid without any notice', async () => {
    const { checkout, payment } = await onPage(productId)
    standIn.decide(payment.id, 'paid')
    await pass({ key: shop.testKey }, 'PT45S')
    expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'paid' })
  })

  it('is paid once by ten notices', async () => {
    const { payment } = await onPage(productId)
    standIn.decide(payment.id, 'paid')
    const before = (await eventsOf(shop)).length
    await Promise.all(Array.from({ length: 10 }, () => notify(payment.id)))
    await runDueTasks()
    await notify(payment.id)
    await runDueTasks()
    const events = (await eventsOf(shop)).slice(before)
    expect(events.filter((name) => name === 'order.paid')).toHaveLength(1)
  })

  it('offers the methods of the account, and no other', async () => {
    const checkout = await stock.aCheckout(shop.testKey, planId)
    const token = tokenOf(checkout.links.checkoutUrl.href)
    const page = await checkoutPage(token, germanVisitor)
    expect(page).toMatchObject({ state: 'open', quote: { methods: expect.not.arrayContaining(['directdebit']) } })
    await submit(token, buyerForm({ paymentMethod: 'directdebit' }), germanVisitor)
    expect(await checkoutPage(token, germanVisitor)).toMatchObject({
      problems: { paymentMethod: { code: 'unavailable' } },
    })
  })

  it('a second click leads to the same payment, also after its answer was lost', async () => {
    const { token, payment } = await onPage(productId)
    const before = posts('payments')
    const again = await submit(token, buyerForm(), germanVisitor)
    expect(again?.redirectTo).toBe(`${standIn.url}/checkout/${payment.id}`)
    expect(posts('payments')).toBe(before)

    const checkout = await stock.aCheckout(shop.testKey, productId)
    const other = tokenOf(checkout.links.checkoutUrl.href)
    standIn.failNext('cut after')
    await expect(submit(other, buyerForm(), germanVisitor)).rejects.toThrow('Mollie does not answer')
    const made = newest()
    const sent = await submit(other, buyerForm(), germanVisitor)
    expect(sent?.redirectTo).toBe(`${standIn.url}/checkout/${made.id}`)
    expect(newest()).toBe(made)
  })

  it('a payment that cannot be canceled is given up, and goes back when it is paid too', async () => {
    const { checkout, token, payment: ideal } = await onPage(productId, 'ideal')
    const sent = await submit(token, buyerForm({ paymentMethod: 'creditcard' }), germanVisitor)
    const card = newest()
    expect(sent?.redirectTo).toBe(`${standIn.url}/checkout/${card.id}`)
    expect(card).not.toBe(ideal)

    standIn.decide(card.id, 'paid')
    standIn.decide(ideal.id, 'paid')
    await Promise.all([notify(ideal.id), notify(card.id), notify(ideal.id)])
    await runDueTasks()
    expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'paid' })
    const back = () => standIn.books.refunds.filter(({ paymentId }) => paymentId === ideal.id)
    expect(back()).toMatchObject([{ amount: ideal.amount, status: 'pending' }])
    for (const refund of back()) refund.status = 'refunded'
    await pass({ key: shop.testKey }, 'PT1H')
    await notify(ideal.id)
    await runDueTasks()
    expect(back()).toHaveLength(1)
    const row = await db().payments.findFirstOrThrow({ where: { provider_ref: ideal.id } })
    expect(row).toMatchObject({ status: 'canceled', returned_at: expect.any(Date) })
    expect(standIn.books.refunds.filter(({ paymentId }) => paymentId === card.id)).toEqual([])
    expect(await brokenInvariants()).toEqual({})
  })

  it('a notice about a payment of another account does nothing', async () => {
    const tasks = () => db().tasks.count({ where: { name: 'payment.sync' } })
    const before = await tasks()
    expect(await notify('tr_ofsomebodyelse')).toBe(204)
    expect(await tasks()).toBe(before)
    expect(await notify('order_1')).toBe(400)
    expect(await notify('')).toBe(400)
  })
})

/** A storefront of its own, with subscriptions that were paid by card. */
async function aShopOf(buyers: number, paymentMethod = 'creditcard') {
  const shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  const { id } = await stock.aPlan(shop.testKey, { basePrice: stock.price('10.00') })
  const customers: string[] = []
  for (let each = 0; each < buyers; each++) {
    const checkout = await stock.aCheckout(shop.testKey, id)
    const form = buyerForm({ paymentMethod, email: `${checkout.id}@example.com` })
    await submit(tokenOf(checkout.links.checkoutUrl.href), form, germanVisitor)
    const payment = newest()
    standIn.decide(payment.id, 'paid')
    await notify(payment.id)
    customers.push(payment.customerId ?? '')
  }
  await runDueTasks(10 * buyers + 50)
  const charges = () =>
    standIn.books.payments.filter(
      ({ customerId, sequenceType }) => sequenceType === 'recurring' && customers.includes(customerId ?? ''),
    )
  const mandates = () => standIn.books.mandates.filter(({ customerId }) => customers.includes(customerId))
  return { shop, key: shop.testKey, charges, mandates }
}

/** Moves the clock by a month, whatever fails meanwhile. */
async function aMonthLater(key: string): Promise<void> {
  await send('POST /v1/test-helpers/clock/advance', { key, body: { by: 'P1M' } })
  await runDueTasks(10_000)
}

/** What failed is tried again at once, until nothing fails. */
async function untilDone(rounds = 10): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    resetConnection()
    const failed = await db().$executeRaw`UPDATE tasks SET run_at = clock_timestamp() WHERE last_error IS NOT NULL`
    if (failed === 0) return
    await runDueTasks(10_000)
  }
  throw new Error('tasks still fail')
}

const statuses = async (key: string) =>
  (await get(key, '/v1/orders?limit=100')).data.map(({ status }: { status: string }) => status)

describe('a charge at Mollie', () => {
  it.each(['cut after', 'cut before', 500, 503, 429] as const)('that meets %s is made once', async (fault) => {
    const { key, charges } = await aShopOf(1)
    standIn.failNext(fault)
    await aMonthLater(key)
    expect(standIn.hasFaults()).toBe(false)
    await untilDone()
    expect(charges()).toHaveLength(1)
    expect(await statuses(key)).toEqual(['paid', 'paid'])
    expect(await brokenInvariants()).toEqual({})
  })

  const many = amount({ short: 12, long: 1000 })
  it(`${many} times with a lost answer makes ${many} payments, though Mollie forgets the keys`, async () => {
    const { key, charges } = await aShopOf(many)
    standIn.failNext('cut after', { times: many })
    await aMonthLater(key)
    standIn.books.answered = {}
    await untilDone(100)
    expect(charges()).toHaveLength(many)
    const paid = await db().payments.count({
      where: { status: 'paid', provider_ref: { in: charges().map(({ id }) => id) } },
    })
    expect(paid).toBe(many)
    expect(await brokenInvariants()).toEqual({})
  })

  it('that is declined begins a recovery for the reason', async () => {
    const { shop, key, mandates } = await aShopOf(1)
    standIn.decline(mandates()[0]?.id ?? '', 'card_expired')
    await aMonthLater(key)
    const recovery = await db().recoveries.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
    expect(recovery).toMatchObject({ status: 'open', failure_reason: 'card_expired' })
  })

  it('on a mandate that was revoked at the bank begins a recovery', async () => {
    const { shop, key, mandates } = await aShopOf(1)
    for (const mandate of mandates()) mandate.status = 'invalid'
    await aMonthLater(key)
    const recovery = await db().recoveries.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
    expect(recovery).toMatchObject({ status: 'open', failure_reason: 'invalid_mandate' })
  })

  it('by direct debit is on its way until the bank decides, which is found without a notice', async () => {
    const { shop, key, charges } = await aShopOf(1, 'ideal')
    const [subscription] = (await get(key, '/v1/subscriptions')).data
    expect(subscription.mandate).toEqual({ method: 'sepa_debit', maskedIdentifier: 'NL91****4300' })
    const mandate = await db().mandates.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
    expect(mandate.reference).toMatch(/^ST-/)
    await aMonthLater(key)
    const [charge] = charges()
    expect(charge).toMatchObject({ status: 'pending', method: 'directdebit' })
    expect(await statuses(key)).toEqual(['pending', 'paid'])
    standIn.decide(charge?.id ?? '', 'failed', { bankReasonCode: 'AM04' })
    await pass({ key }, 'PT2H')
    const recovery = await db().recoveries.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
    expect(recovery).toMatchObject({ status: 'open', failure_reason: 'insufficient_funds' })
  })

  it('by direct debit that the bank returns is a chargeback, also without a notice', async () => {
    const { key, charges } = await aShopOf(1, 'ideal')
    await aMonthLater(key)
    const [charge] = charges()
    standIn.decide(charge?.id ?? '', 'paid')
    await pass({ key }, 'PT2H')
    expect(await statuses(key)).toEqual(['paid', 'paid'])
    const { data } = await get(key, '/v1/orders?limit=1')
    standIn.dispute(charge?.id ?? '', { code: 'AM04', description: 'Insufficient funds' })
    await findMissedChargebacks()
    await findMissedChargebacks()
    await runDueTasks()
    const chargebacks = await get(key, `/v1/orders/${data[0].id}/chargebacks`)
    expect(chargebacks.data).toMatchObject([{ status: 'lost', reason: 'Insufficient funds' }])
    expect(await brokenInvariants()).toEqual({})
  })
})

describe('money back at Mollie', () => {
  it('is refunded once, and known by a notice', async () => {
    const { orderId, payment } = await paid(productId)
    const reply = await send(`POST /v1/orders/${orderId}/refunds/full`, { key: shop.testKey })
    expect(reply.status, JSON.stringify(reply.body)).toBe(201)
    standIn.failNext('cut after')
    await send('POST /v1/test-helpers/clock/advance', { key: shop.testKey, body: { by: 'PT5M' } })
    await untilDone()
    const back = standIn.books.refunds.filter(({ paymentId }) => paymentId === payment.id)
    expect(back).toMatchObject([{ amount: payment.amount, status: 'pending' }])
    const refund = () => get(shop.testKey, `/v1/orders/${orderId}/refunds/${reply.body.id}`)
    expect((await refund()).status).toBe('processing')
    for (const each of back) each.status = 'refunded'
    await notify(payment.id)
    await runDueTasks()
    expect((await refund()).status).toBe('refunded')
    expect(await brokenInvariants()).toEqual({})
  })

  it('a disputed card payment is pending until Mollie reports that it was won', async () => {
    const { orderId, payment } = await paid(productId)
    const id = standIn.dispute(payment.id)
    await notify(payment.id)
    await runDueTasks()
    const chargebacks = async () => (await get(shop.testKey, `/v1/orders/${orderId}/chargebacks`)).data
    expect(await chargebacks()).toMatchObject([{ status: 'pending' }])
    const raised = standIn.books.chargebacks.find((each) => each.id === id)
    if (raised) raised.reversedAt = new Date().toISOString()
    await findMissedChargebacks()
    await notify(payment.id)
    await runDueTasks()
    expect(await chargebacks()).toMatchObject([{ status: 'won' }])
    expect(await brokenInvariants()).toEqual({})
  })
})

describe('a buyer who is erased', () => {
  it('is deleted at Mollie with the mandate, in spite of a lost answer, and once', async () => {
    const { key, mandates } = await aShopOf(2)
    const [subscription, other] = (await get(key, '/v1/subscriptions')).data
    await send(`DELETE /v1/subscriptions/${subscription.id}?immediately=true`, { key })
    await runDueTasks()
    const { customerId } = subscription
    const [mine] = await db().mandates.findMany({ where: { customer_id: customerId } })
    const customerRef = mine?.provider_ref.split('/')[0] ?? ''
    expect(standIn.books.customers.map(({ id }) => id)).toContain(customerRef)
    await erase(customerId)
    standIn.failNext('cut after', { method: 'DELETE' })
    await runDueTasks()
    expect(standIn.hasFaults()).toBe(false)
    await untilDone()
    expect(standIn.books.customers.map(({ id }) => id)).not.toContain(customerRef)
    expect(
      mandates()
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['invalid', 'valid'])
    // The other buyer is charged as ever.
    await aMonthLater(key)
    await untilDone()
    expect((await get(key, `/v1/subscriptions/${other.id}`)).status).toBe('active')
    expect(await statuses(key)).toEqual(['paid', 'paid', 'paid'])
    expect(await brokenInvariants()).toEqual({})
  })
})

describe('while Mollie is away', () => {
  it('a form is not taken, and the buyer can send it again; the state says since when', async () => {
    const checkout = await stock.aCheckout(shop.testKey, productId)
    const token = tokenOf(checkout.links.checkoutUrl.href)
    standIn.failNext(503, { times: 5 })
    for (let each = 0; each < 5; each++)
      await expect(submit(token, buyerForm(), germanVisitor)).rejects.toThrow(/^Mollie/)
    expect(livePaymentsState()).toMatch(/^answers 503 since 20/)
    const asked = standIn.requests.length
    await expect(submit(token, buyerForm(), germanVisitor)).rejects.toThrow('Mollie is not asked for another')
    expect(standIn.requests.length).toBe(asked)
    resetConnection()
    expect((await submit(token, buyerForm(), germanVisitor))?.redirectTo).toBe(`${standIn.url}/checkout/${newest().id}`)
    expect(livePaymentsState()).toBe('ok')
  })
})
