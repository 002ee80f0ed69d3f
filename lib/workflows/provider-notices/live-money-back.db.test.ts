import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { registry } from '../../providers/registry.ts'
import { send } from '../../testing/api.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMonthLater, aShopOf, newestOnPage, sendNotice } from '../../testing/live-sales.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { erase } from '../erasure/operations.ts'
import { revokeUnusedMandates } from '../mandates/revoke.ts'
import { submit } from '../sale/submit-checkout.ts'
import { hold, release } from '../transfer/hold.ts'
import { findMissedChargebacks } from './missed.ts'

/** These tests run sales, renewals, refunds, and disputes against a local stand-in of each live provider. */

const started: LiveProvider[] = []

afterAll(() => Promise.all(started.map((each) => each.close())))
let provider: LiveProvider
let shop: Shop
let planId: string
let productId: string
const notify = (ref: string) => sendNotice(provider, provider.noticeOf(ref))
const pageOf = (ref: string) => `${provider.url}/checkout/${ref}`

async function onPage(sold = planId, paymentMethod = 'creditcard') {
  const checkout = await stock.aCheckout(shop.testKey, sold)
  const token = tokenOf(checkout.links.checkoutUrl.href)
  const sent = await submit(token, buyerForm({ paymentMethod, email: `${checkout.id}@example.com` }), germanVisitor)
  const payment = newestOnPage(provider)
  expect(sent?.redirectTo).toBe(pageOf(payment.ref))
  return { checkout, token, payment }
}

async function paid(sold = planId, paymentMethod = 'creditcard') {
  const { checkout, payment, token } = await onPage(sold, paymentMethod)
  provider.pay(payment.ref)
  expect(await notify(payment.ref)).toBe(200)
  await runDueTasks()
  const { status, orderId } = await get(shop.testKey, `/v1/checkouts/${checkout.id}`)
  expect(status).toBe('paid')
  return { orderId, payment, token }
}

async function untilDone(rounds = 10): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    provider.resetConnection()
    const failed = await db()
      .$executeRaw`UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()) WHERE last_error IS NOT NULL`
    if (failed === 0) return
    await runDueTasks(10_000)
  }
  const [task] = await db().tasks.findMany({
    where: { last_error: { not: null } },
    select: { name: true, last_error: true },
  })
  throw new Error(`${task?.name} still fails: ${task?.last_error}`)
}

const statuses = async (key: string) =>
  (await get(key, '/v1/orders?limit=100')).data.map(({ status }: { status: string }) => status)

describe.each([
  ['Mollie', liveMollie],
  ['Stripe', liveStripe],
] as const)('the service processes refunds, disputes, and mandates at %s', (_title, start) => {
  beforeAll(async () => {
    provider = await start()
    started.push(provider)
    Object.assign(config(), { [provider.name]: provider.account, livePayments: provider.name })
    // The tests skip a year with the test clock. Only test mode has a test clock, so the live provider serves test mode too in these tests.
    const its = registry.providers.find(({ name }) => name === provider.name) ?? null
    vi.spyOn(registry, 'ofNewPayments', 'get').mockReturnValue({ test: its, live: its })
    shop = await aShop({ at: '2027-01-01T00:00:00Z' })
    ;({ id: planId } = await stock.aPlan(shop.testKey, { basePrice: stock.price('10.00') }))
    ;({ id: productId } = await stock.aProduct(shop.testKey))
  })
  afterEach(() => provider.reset())

  describe('money returned to the buyer', () => {
    it('a refund is sent once, and a notice reports its outcome', async () => {
      const { orderId, payment } = await paid(productId)
      const reply = await send(`POST /v1/orders/${orderId}/refunds/full`, { key: shop.testKey })
      expect(reply.status, JSON.stringify(reply.body)).toBe(201)
      provider.failNext('cut after')
      await send('POST /v1/test-helpers/clock/advance', { key: shop.testKey, body: { by: 'PT5M' } })
      await untilDone()
      const back = provider.refundsOf(payment.ref)
      expect(back).toMatchObject([{ amount: payment.amount }])
      const refund = () => get(shop.testKey, `/v1/orders/${orderId}/refunds/${reply.body.id}`)
      expect((await refund()).status).toBe('processing')
      for (const each of back) each.settle()
      await notify(payment.ref)
      await runDueTasks()
      expect((await refund()).status).toBe('refunded')
      expect(await brokenInvariants()).toEqual({})
    })

    it('the dispute of a card payment is pending until the provider reports that the dispute was won', async () => {
      const { orderId, payment } = await paid(productId)
      provider.dispute(payment.ref)
      await notify(payment.ref)
      await runDueTasks()
      const chargebacks = async () => (await get(shop.testKey, `/v1/orders/${orderId}/chargebacks`)).data
      expect(await chargebacks()).toMatchObject([{ status: 'pending' }])
      provider.winDisputes()
      await findMissedChargebacks()
      await notify(payment.ref)
      await runDueTasks()
      expect(await chargebacks()).toMatchObject([{ status: 'won' }])
      expect(await brokenInvariants()).toEqual({})
    })
  })

  describe('an unused mandate', () => {
    const later = () => revokeUnusedMandates(new Date('2100-01-01'))
    const subscriptionsOf = async (key: string): Promise<{ id: string }[]> => (await get(key, '/v1/subscriptions')).data

    it('the provider is asked once to revoke the mandate of an ended subscription', async () => {
      const { key, mandates } = await aShopOf(provider, 2)
      const [one] = await subscriptionsOf(key)
      await later()
      await runDueTasks(50)
      expect(mandates()).toHaveLength(2)
      await send(`DELETE /v1/subscriptions/${one?.id}?immediately=false`, { key })
      await later()
      await runDueTasks(50)
      expect(mandates()).toHaveLength(2)
      await send(`DELETE /v1/subscriptions/${one?.id}?immediately=true`, { key })
      provider.failNext('cut after', { method: provider.name === 'mollie' ? 'DELETE' : 'POST' })
      for (const _ of [1, 2]) await later()
      await runDueTasks(50)
      await untilDone()
      expect(mandates()).toHaveLength(1)
      const asked = provider.requests()
      await later()
      await runDueTasks(50)
      expect(provider.requests()).toBe(asked)
      expect(await brokenInvariants()).toEqual({})
    })

    it('a storefront on hold does not block the revocation of other storefronts’ unused mandates', async () => {
      const [held, other] = [await aShopOf(provider, 1), await aShopOf(provider, 1)]
      for (const { key } of [held, other])
        for (const { id } of await subscriptionsOf(key))
          await send(`DELETE /v1/subscriptions/${id}?immediately=true`, { key })
      await runDueTasks(50)
      await hold(held.shop.storefrontId)
      await later()
      await runDueTasks(50)
      expect([held.mandates().length, other.mandates().length]).toEqual([1, 0])
      await release(held.shop.storefrontId)
      await later()
      await runDueTasks(50)
      expect(held.mandates()).toEqual([])
    })

    it('an unused mandate is not revoked while a charge on the mandate has no outcome', async () => {
      const { key, charges, mandates } = await aShopOf(provider, 1, 'ideal')
      await aMonthLater(key)
      expect(charges().map(({ status }) => status)).toEqual(['pending'])
      const [one] = await subscriptionsOf(key)
      await send(`DELETE /v1/subscriptions/${one?.id}?immediately=true`, { key })
      await later()
      await runDueTasks(50)
      expect(mandates()).toHaveLength(1)
      for (const { ref } of charges()) {
        provider.pay(ref)
        await notify(ref)
      }
      await runDueTasks(50)
      await later()
      await runDueTasks(50)
      expect(mandates()).toEqual([])
    })
  })

  describe('an erased buyer', () => {
    it('an erased buyer and the buyer’s mandate are deleted at the provider, even after a lost response', async () => {
      const { key, mandates } = await aShopOf(provider, 2)
      const [subscription, other] = (await get(key, '/v1/subscriptions')).data
      await send(`DELETE /v1/subscriptions/${subscription.id}?immediately=true`, { key })
      await runDueTasks()
      const { customerId } = subscription
      const [mine] = await db().mandates.findMany({ where: { customer_id: customerId } })
      const customerRef = mine?.provider_ref.split('/')[0] ?? ''
      expect(provider.customers()).toContain(customerRef)
      await erase(customerId)
      provider.failNext('cut after', { method: 'DELETE' })
      await runDueTasks()
      expect(provider.hasFaults()).toBe(false)
      await untilDone()
      expect(provider.customers()).not.toContain(customerRef)
      expect(mandates()).toHaveLength(1)
      await aMonthLater(key)
      await untilDone()
      expect((await get(key, `/v1/subscriptions/${other.id}`)).status).toBe('active')
      expect(await statuses(key)).toEqual(['paid', 'paid', 'paid'])
      expect(await brokenInvariants()).toEqual({})
    })
  })
})
