import { afterEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { claimReturn } from '../../testing/claim-named.ts'
import { aCheckout, aPlan, aProduct } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { type Journey, testKillAtEachCommit } from '../../testing/kill-at-each-commit.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks, onProvidersPage } from '../../testing/scenarios.ts'
import { aShop, eventsOf, runDueTasks, tokenOf } from '../../testing/shop.ts'
import { drainTasks, get, pass } from '../../testing/subscription-scenario.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

const byName = new Map(jobs.map((job) => [job.name, job]))
const visitor = { acceptLanguage: 'en', header: () => null }

async function aboutToReturn() {
  const shop = await aShop({ at: '2027-06-01T00:00:00Z' })
  const key = shop.testKey
  const [one, other, product] = [await aPlan(key), await aPlan(key), await aProduct(key)]
  const products = [one, other, product].map(({ id }) => ({ id }))
  const token = tokenOf((await aCheckout(key, one.id, { products })).links.checkoutUrl.href)
  const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'DE', paymentMethod: 'directdebit' }
  await onProvidersPage(await submitCheckout(token, new URLSearchParams(buyer), visitor), { outcome: 'returned' })
  await pass({ key }, 'PT1H')
  await advanceWithoutTasks({ shop }, { days: 5 })
  return { shop, key, token }
}
type Sale = Awaited<ReturnType<typeof aboutToReturn>>

const ordersOf = async ({ key }: Sale) => (await get(key, '/v1/orders')).data.reverse()
const statusesOf = async ({ key }: Sale): Promise<string[]> =>
  (await get(key, '/v1/subscriptions')).data.map(({ status }: { status: string }) => status).sort()
const failuresOf = async ({ shop }: Sale) =>
  (await eventsOf(shop)).filter((name) => name === 'order.payment_failed').length

describe('the return of a first debit', () => {
  afterEach(async () => {
    expect(await brokenInvariants()).toEqual({})
  })

  it.each([
    ['the return first', 0],
    ['the cancellation first', 1],
  ])(
    'if one of two plans is canceled during the return of a debit, the order is unpaid and the second plan stays active (%s)',
    async (_, first) => {
      const sale = await aboutToReturn()
      const sync = await claimReturn()
      const [{ id }] = (await get(sale.key, '/v1/subscriptions')).data
      const cancel = () => send(`DELETE /v1/subscriptions/${id}?immediately=true`, { key: sale.key })
      const racers = [() => runTask(byName, sync), cancel]
      const ends = await raceBehind<unknown>(lockOn('subscriptions', id), first ? racers.reverse() : racers)
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      await drainTasks()
      expect(await ordersOf(sale)).toMatchObject([{ status: 'pending' }])
      expect(await statusesOf(sale)).toEqual(['active', 'canceled'])
      await pass(sale, 'P22D')
      expect(await statusesOf(sale)).toEqual(['canceled', 'canceled'])
      const ended = (await eventsOf(sale.shop)).filter((name) => name === 'subscription.canceled_for_nonpayment')
      expect(ended).toHaveLength(1)
    },
  )

  it('two concurrent fetches of a returned first debit have the same effect as a single fetch', async () => {
    const sale = await aboutToReturn()
    const sync = await claimReturn()
    const [{ id }] = await ordersOf(sale)
    await raceBehind<unknown>(lockOn('orders', id), [() => runTask(byName, sync), () => runTask(byName, sync)], 1)
    await drainTasks()
    expect(await failuresOf(sale)).toBe(1)
  })

  it('if the last step of a recovery coincides with a payment, the order is paid once', async () => {
    const sale = await aboutToReturn()
    await drainTasks()
    await pass(sale, 'P20D')
    const next = await submitCheckout(sale.token, new URLSearchParams({ paymentMethod: 'creditcard' }), visitor)
    await advanceWithoutTasks(sale, { days: 2 })
    const where = { storefront_id: sale.shop.storefrontId }
    const { checkout_id } = await db().orders.findFirstOrThrow({ where })
    const paid = () => onProvidersPage(next, { outcome: 'paid' })
    const step = async () => {
      await runDueTasks()
    }
    await raceBehind<unknown>(lockOn('checkouts', checkout_id ?? ''), [paid, step])
    await drainTasks()
    expect((await ordersOf(sale))[0]).toMatchObject({ status: 'paid' })
    expect((await eventsOf(sale.shop)).slice(-2)).toEqual(['order.payment_failed', 'order.paid'])
    expect(await statusesOf(sale)).toEqual(['active', 'active'])
    await pass(sale, 'P10D')
    expect(await ordersOf(sale)).toHaveLength(3)
  })
})

interface End {
  orders: string[]
  subscriptions: string[]
  events: string[]
}

const sold = ['checkout.paid', 'subscription.started', 'subscription.started', 'order.paid']
const journeys: Record<string, Journey<Sale, End>> = {
  'a first debit that is returned': {
    begin: async () => undefined,
    killed: () => runDueTasks(),
    ends: { orders: ['pending'], subscriptions: ['active', 'active'], events: [...sold, 'order.payment_failed'] },
  },
}

testKillAtEachCommit(journeys, {
  begin: aboutToReturn,
  endOf: async (sale) => ({
    orders: (await ordersOf(sale)).map(({ status }: { status: string }) => status),
    subscriptions: await statusesOf(sale),
    events: await eventsOf(sale.shop),
  }),
  whole: (ends: End) => ends,
  places: 2,
})
