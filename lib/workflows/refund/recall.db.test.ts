import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderPage, submitOrder } from '../../admin/pages.ts'
import { approveReview } from '../../modules/catalog/operations.ts'
import { balance } from '../../modules/ledger/operations.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { StaleClaim } from '../../platform/jobs/transact.ts'
import { send as request } from '../../testing/api.ts'
import { answer, isRefused } from '../../testing/command-line.ts'
import { expireLeases, killedAt, moments, places } from '../../testing/crash.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { aMember } from '../../testing/operator.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop, buyerForm, eventsOf, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { travelTo } from '../../testing/time-travel.ts'
import { reconcileNow } from '../reconciliation/daily.ts'
import { afterReturn, submitCheckout } from '../sale/submit-checkout.ts'
import { send } from './operations.ts'
import { recall } from './recall.ts'

let day = new Date('2027-03-01T10:00:00Z')
async function later(hours: number): Promise<void> {
  day = new Date(day.getTime() + hours * 3_600_000 + 60_000)
  await travelTo(day.toISOString())
  await runDueTasks(1000)
}
describe.each([
  { name: 'mollie', start: liveMollie, cancels: 'DELETE' },
  { name: 'stripe', start: liveStripe, cancels: 'POST' },
] as const)('a refund can be recalled at $name', ({ name, start, cancels }) => {
  let provider: LiveProvider
  let shop: Shop
  let productId: string

  beforeAll(async () => {
    await travelTo(day.toISOString())
    provider = await start()
    Object.assign(config(), { mollie: null, stripe: null, [name]: provider.account, livePayments: name })
    provider.reset()
    shop = await aShop()
    ;({ id: productId } = await stock.aProduct(shop.liveKey, { basePrice: stock.price('100.00') }))
    await approveReview(productId)
  })
  afterAll(() => provider.close())

  async function untilDone(): Promise<void> {
    await later(1)
    const failed = { storefront_id: shop.storefrontId, last_error: { not: null } }
    expect(await db().tasks.findMany({ where: failed })).toEqual([])
  }

  const tenant = () => ({ storefrontId: shop.storefrontId, testmode: false })

  async function sent() {
    const checkout = await stock.aCheckout(shop.liveKey, productId)
    const token = tokenOf(checkout.links.checkoutUrl.href)
    await submitCheckout(token, buyerForm({ email: `${checkout.id}@example.com` }), germanVisitor)
    const payment = provider.payments().findLast(({ kind }) => kind === 'once')
    provider.pay(payment?.ref ?? '')
    await afterReturn(token)
    await runDueTasks()
    const { orderId } = await get(shop.liveKey, `/v1/checkouts/${checkout.id}`)
    const { lines } = await get(shop.liveKey, `/v1/orders/${orderId}`)
    const items = [{ itemId: lines[0].id, amount: stock.price('40.00') }]
    const made = await request(`POST /v1/orders/${orderId}/refunds`, { key: shop.liveKey, body: { items } })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { id } = made.body
    await later(3)
    const atProvider = () => provider.refundsOf(payment?.ref ?? '')
    for (const each of atProvider()) each.keep()
    const refund = () => get(shop.liveKey, `/v1/refunds/${id}`)
    expect((await refund()).status).toBe('processing')
    const events = async () => (await eventsOf(shop)).filter((event) => event.startsWith('refund.'))
    const before = (await events()).length
    return { orderId, id, refund, atProvider, events: async () => (await events()).slice(before) }
  }
  const owed = async () =>
    (await balance(tenant())).find(({ account, currency }) => account === 'merchant_balance' && currency === 'EUR')
      ?.amount

  async function isBack({ orderId, refund, atProvider, events }: Awaited<ReturnType<typeof sent>>): Promise<void> {
    expect(await refund()).toMatchObject({ status: 'failed', orderId: null })
    expect(atProvider()).toMatchObject([{ amount: '47.60 EUR', isCanceled: true }])
    expect(await get(shop.liveKey, `/v1/orders/${orderId}`)).toMatchObject({
      reversedSubtotal: stock.price('0.00'),
      refundableSubtotal: stock.price('100.00'),
    })
    expect(await events()).toEqual(['refund.failed'])
    expect(await brokenInvariants()).toEqual({})
  }

  it('a recall cancels a refund and frees its amount if the provider has not sent the refund', async () => {
    const before = await owed()
    const one = await sent()
    const withFee = await owed()
    provider.failNext('cut after', { method: cancels })
    const asked = { refundId: one.id, status: 'processing', recalled: true }
    expect(await answer(`refund cancel --refund ${one.id} --json`)).toEqual(asked)
    const { recalled_at } = await db().refunds.findUniqueOrThrow({ where: { id: one.id } })
    day = new Date(day.getTime() + 60_000)
    await travelTo(day.toISOString())
    expect(await answer(`refund cancel --refund ${one.id} --json`)).toEqual(asked)
    expect(await db().refunds.findUnique({ where: { id: one.id } })).toMatchObject({ recalled_at })
    await runDueTasks()
    expect(provider.hasFaults()).toBe(false)
    await untilDone()
    await isBack(one)
    // The merchant's share of the sale is 94.50.
    expect(Number(before ?? 0) - Number(await owed())).toBeCloseTo(94.5, 2)
    expect(withFee).not.toBe(await owed())
    const [entry] = await db().audit_entries.findMany({ where: { subject: one.id } })
    expect(entry).toMatchObject({ action: 'refund.recall', actor_kind: 'cli' })
    expect((await isRefused(`refund cancel --refund ${one.id}`)).message).toMatch(/refund/i)
    expect((await request(`POST /v1/orders/${one.orderId}/refunds/full`, { key: shop.liveKey })).status).toBe(201)
    const span = {
      since: new Date('2020-01-01'),
      until: new Date('2100-01-01'),
      settledUntil: new Date(0),
      settleMs: 0,
    }
    expect(await reconcileNow(span)).toEqual([])
  })

  it('a recall has no effect after the refund was sent to the bank', async () => {
    const one = await sent()
    for (const each of one.atProvider()) each.passOn()
    await recall(tenant(), one.orderId, one.id)
    await runDueTasks()
    expect((await one.refund()).status).toBe('processing')
    expect(one.atProvider()).toMatchObject([{ isCanceled: false }])
    for (const each of one.atProvider()) each.settle()
    await later(1)
    expect(await one.refund()).toMatchObject({ status: 'refunded', orderId: expect.any(String) })
    expect(await one.events()).toEqual(['refund.completed'])
    await expect(recall(tenant(), one.orderId, one.id)).rejects.toMatchObject({ code: 'refund_not_cancelable' })
    expect(await brokenInvariants()).toEqual({})
  })

  it('a member with the permission to refund can recall a refund in the admin area', async () => {
    const one = await sent()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const [support, accountant] = [
      await aMember(`support-${name}@example.com`, merchant_id, 'support'),
      await aMember(`books-${name}@example.com`, merchant_id, 'accountant'),
    ]
    const place = { mode: 'live', storefrontId: shop.storefrontId }
    const ask = (cookies: string | null) => {
      const fields = { key: crypto.randomUUID(), intent: 'recall-refund', refund: one.id }
      return submitOrder(place, one.orderId, new URLSearchParams(fields), cookies)
    }
    expect(await orderPage(place, one.orderId, support.cookies)).toMatchObject({ recallable: [one.id] })
    expect(await ask(accountant.cookies)).toBeNull()
    expect((await ask(support.cookies))?.redirectTo).toMatch(/\?done=refundRecalled$/)
    expect(await orderPage(place, one.orderId, support.cookies)).toMatchObject({ recallable: [] })
    await runDueTasks()
    await isBack(one)
    const entries = await db().audit_entries.findMany({ where: { subject: one.id } })
    expect(entries).toMatchObject([{ action: 'refund.recall', actor_kind: 'member', actor_id: support.operatorId }])
    expect((await ask(support.cookies))?.redirectTo).toMatch(/\?failed=refund_not_cancelable$/)
  })

  it('a recall of a refund is refused for a wrong order or tenant, and before the refund is sent to the provider', async () => {
    const one = await sent()
    const other = await sent()
    const foreign = { storefrontId: (await aShop()).storefrontId, testmode: false }
    for (const [scope, orderId] of [
      [foreign, one.orderId],
      [{ ...tenant(), testmode: true }, one.orderId],
      [tenant(), other.orderId],
    ] as const)
      await expect(recall(scope, orderId, one.id)).rejects.toMatchObject({ code: 'not_found' })
    const { lines } = await get(shop.liveKey, `/v1/orders/${one.orderId}`)
    const body = { items: [{ itemId: lines[0].id, amount: stock.price('1.00') }] }
    const pending = await request(`POST /v1/orders/${one.orderId}/refunds`, { key: shop.liveKey, body })
    await expect(recall(tenant(), one.orderId, pending.body.id)).rejects.toMatchObject({
      code: 'refund_not_cancelable',
    })
    expect(await answer(`refund cancel --refund ${pending.body.id} --json`)).toMatchObject({ status: 'canceled' })
    expect(await db().refunds.count({ where: { id: one.id, recalled_at: null } })).toBe(1)
  })

  it.each(['the bank', 'the recall'])(
    'a recall during the settlement of a refund succeeds only if the provider gets the recall before the settlement (first: %s)',
    async (first) => {
      const one = await sent()
      if (first === 'the bank') for (const each of one.atProvider()) each.settle()
      else await recall(tenant(), one.orderId, one.id)
      // The two calls of `send` get the provider's response before either call applies it.
      const task = await db().tasks.findFirstOrThrow({ where: { name: 'refund.send', key: one.id } })
      const claim = { taskId: task.id, claimVersion: task.claim_version }
      const again = () => recall(tenant(), one.orderId, one.id)
      const run = () => send({ ...tenant(), claim }, { refundId: one.id })
      const ends = await raceBehind(lockOn('orders', one.orderId), [run, again, run])
      for (const end of ends)
        if (end.status === 'rejected' && !(end.reason instanceof StaleClaim))
          expect(end.reason).toMatchObject({ code: 'refund_not_cancelable' })
      await untilDone()
      if (first === 'the recall') await isBack(one)
      else {
        expect(await one.refund()).toMatchObject({ status: 'refunded' })
        expect(await one.events()).toEqual(['refund.completed'])
        expect(await brokenInvariants()).toEqual({})
      }
    },
  )

  it('a recall of a refund takes effect once if the process is killed at any commit', async () => {
    const one = await sent()
    const restore = await takeSnapshot()
    for (const moment of moments)
      for (let n = 1, died = true; died; n++) {
        await restore()
        for (const each of one.atProvider()) each.keep()
        died = await killedAt(
          n,
          moment,
          async () => {
            await recall(tenant(), one.orderId, one.id)
            await runDueTasks()
          },
          places(),
        )
        await expireLeases()
        await recall(tenant(), one.orderId, one.id).catch((error) =>
          expect(error).toMatchObject({ code: 'refund_not_cancelable' }),
        )
        await runDueTasks()
        await isBack(one)
        if (died) expect(n).toBeLessThan(500)
        else expect(n).toBeGreaterThan(2)
      }
  })
})
