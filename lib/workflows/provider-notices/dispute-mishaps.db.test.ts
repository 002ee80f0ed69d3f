import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { aMonthLater, aShopOf, failures, liveSales, newestOnPage, sendNotice } from '../../testing/live-sales.ts'
import { runDueTasks, type Shop } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { erase } from '../erasure/operations.ts'
import { reconcileNow } from '../reconciliation/daily.ts'
import { hold, release } from '../transfer/hold.ts'
import { findMissedChargebacks } from './missed.ts'

const sales = liveSales()
const { notify, paid } = sales
let provider: LiveProvider
let shop: Shop
const post = (body: string, contentType: string) => sendNotice(provider, { body, contentType })

async function aShopWithDebit() {
  const made = await aShopOf(provider, 1, 'ideal')
  await aMonthLater(made.key)
  for (const { ref } of made.charges()) provider.pay(ref)
  await pass({ key: made.key }, 'PT2H')
  const [{ id: orderId, status }] = (await get(made.key, '/v1/orders?limit=1')).data
  expect(status).toBe('paid')
  return { ...made, orderId }
}

const chargebacksOf = async ({ key, orderId }: { key: string; orderId: string }): Promise<string[]> =>
  (await get(key, `/v1/orders/${orderId}/chargebacks`)).data.map(({ status }: { status: string }) => status)

describe.each([
  ['Mollie', liveMollie],
  ['Stripe', liveStripe],
] as const)('the service processes rare disputes at %s', (_title, start) => {
  beforeAll(async () => {
    await sales.start(start)
    ;({ provider, shop } = sales)
  })
  afterEach(async () => {
    provider.reset()
    await db().tasks.deleteMany({ where: { last_error: { not: null } } })
  })

  it('a chargeback of a storefront on hold is found after the release, and chargebacks of other storefronts are found during the hold', async () => {
    const [held, other] = [await aShopWithDebit(), await aShopWithDebit()]
    await hold(held.shop.storefrontId)
    for (const each of [held, other]) for (const { ref } of each.charges()) provider.demandBack(ref)
    await findMissedChargebacks()
    await runDueTasks(50)
    expect(await chargebacksOf(other)).toEqual(['lost'])
    await release(held.shop.storefrontId)
    await findMissedChargebacks()
    await runDueTasks(50)
    expect(await chargebacksOf(held)).toEqual(['lost'])
  })

  it.runIf(start === liveStripe)(
    'if an inquiry becomes a dispute, a notice or the daily search finds the dispute, and no false alarm is raised',
    async () => {
      const { books } = provider
      if (!('disputes' in books)) throw new Error('the stand-in has other books')
      const inquiries = []
      for (const _ of [1, 2]) {
        const { orderId, payment } = await paid(sales.productId)
        provider.dispute(payment.ref)
        const dispute = books.disputes.at(-1)
        if (!dispute) throw new Error('the stand-in has no dispute')
        const inquiry = { ...dispute, status: 'warning_needs_response', created: dispute.created - 21 * 86_400 }
        books.disputes[books.disputes.length - 1] = inquiry as typeof dispute
        inquiries.push({ key: shop.testKey, orderId, inquiry })
      }
      const newer = [await paid(sales.productId), await paid(sales.productId)]
      for (const { payment } of newer) provider.dispute(payment.ref)
      await findMissedChargebacks()
      await runDueTasks()
      provider.shortenPages(2)
      for (const { inquiry } of inquiries) inquiry.status = 'needs_response'
      const [first, second] = inquiries
      if (!first || !second) throw new Error('the test has fewer than two inquiries')
      const data = { object: { id: first.inquiry.id, object: 'dispute', payment_intent: first.inquiry.payment_intent } }
      const event = { id: 'evt_1', object: 'event', type: 'charge.dispute.updated', data }
      expect(await post(JSON.stringify(event), 'application/json')).toBe(200)
      await runDueTasks()
      expect(await chargebacksOf(first)).toEqual(['pending'])

      await findMissedChargebacks()
      await runDueTasks()
      expect(await chargebacksOf(second)).toEqual([])
      await findMissedChargebacks({ since: new Date(Date.now() - 120 * 86_400_000) })
      await runDueTasks()
      expect(await chargebacksOf(second)).toEqual(['pending'])
      provider.shortenPages(Number.POSITIVE_INFINITY)

      const span = { since: new Date(Date.now() - 10 * 86_400_000), until: new Date('2100-01-01') }
      const differences = async () =>
        (await reconcileNow({ ...span, settledUntil: new Date(0), settleMs: 0 })).map(({ kind }) => kind)
      // At the provider, the disputes began before the compared time span. This update moves them into the time span in
      // our records.
      await db().chargebacks.updateMany({ data: { created_at: new Date() } })
      expect(await differences()).not.toContain('chargeback_not_received')
      const at = books.disputes.findIndex(({ id }) => id === first.inquiry.id)
      books.disputes.splice(at, 1)
      expect(await differences()).toContain('chargeback_not_received')
    },
  )

  it.runIf(start === liveMollie)(
    'a chargeback in yen for another system’s payment stops neither the search for chargebacks nor the daily comparison',
    async () => {
      const made = await aShopWithDebit()
      const { books } = provider
      if (!('chargebacks' in books)) throw new Error('the stand-in has other books')
      const dispute = { id: 'chb_yen1', paymentId: 'tr_yen1', amount: { value: '1000', currency: 'JPY' } }
      books.chargebacks.push({ ...dispute, reason: null, createdAt: new Date().toISOString(), reversedAt: null })
      for (const { ref } of made.charges()) provider.demandBack(ref)
      await findMissedChargebacks()
      await runDueTasks()
      expect(await chargebacksOf(made)).toEqual(['lost'])
      await reconcileNow({ settleMs: 0 })
      books.chargebacks = books.chargebacks.filter(({ id }) => id !== 'chb_yen1')
    },
  )

  it('a notice about a dispute of an erased buyer is processed', async () => {
    const { key } = await aShopOf(provider, 1)
    const orderId = (await get(key, '/v1/orders?limit=1')).data[0].id
    const { ref } = newestOnPage(provider)
    const [{ id, customerId }] = (await get(key, '/v1/subscriptions')).data
    await send(`DELETE /v1/subscriptions/${id}?immediately=true`, { key })
    await runDueTasks(50)
    await erase(customerId)
    await runDueTasks(50)
    provider.dispute(ref)
    await notify(ref)
    await runDueTasks(50)
    expect(await failures()).toEqual([])
    expect(await chargebacksOf({ key, orderId })).toEqual(['pending'])
  })
})
