import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMonthLater, aShopOf, liveSales, orderStatuses } from '../../testing/live-sales.ts'
import { runDueTasks, type Shop } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { erase } from '../erasure/operations.ts'
import { revokeUnusedMandates } from '../mandates/revoke.ts'
import { hold, release } from '../transfer/hold.ts'
import { findMissedChargebacks } from './missed.ts'

/** These tests run sales, renewals, refunds, and disputes against a local server that simulates each live provider. */

const sales = liveSales()
const { notify, paid, untilDone } = sales
let provider: LiveProvider
let shop: Shop

describe.each([
  ['Mollie', liveMollie],
  ['Stripe', liveStripe],
] as const)('the service processes refunds, disputes, and mandates at %s', (_title, start) => {
  beforeAll(async () => {
    await sales.start(start)
    ;({ provider, shop } = sales)
  })
  afterEach(() => provider.reset())

  describe('money returned to the buyer', () => {
    it('a refund is sent once, and a notice reports its outcome', async () => {
      const { orderId, payment } = await paid(sales.productId)
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
      const { orderId, payment } = await paid(sales.productId)
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
      expect(await orderStatuses(key)).toEqual(['paid', 'paid', 'paid'])
      expect(await brokenInvariants()).toEqual({})
    })
  })
})
