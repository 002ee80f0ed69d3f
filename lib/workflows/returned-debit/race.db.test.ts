import { afterEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { claimReturn } from '../../testing/claim-named.ts'
import { aCheckout, aProduct } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks, onProvidersPage } from '../../testing/scenarios.ts'
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

const byName = new Map(jobs.map((job) => [job.name, job]))

async function aboutToReturn(): Promise<Scenario> {
  const scenario = await subscriptionScenario({ at: '2027-06-01T00:00:00Z', buyer: { paymentMethod: 'ideal' } })
  await returnDebits(scenario.id)
  await pass(scenario, 'P1M1D')
  await advanceWithoutTasks(scenario, { days: 5 })
  return scenario
}

const visitor = { acceptLanguage: 'en', header: () => null }

async function purchaseAboutToReturn() {
  const shop = await aShop({ at: '2027-06-01T00:00:00Z' })
  const key = shop.testKey
  const { id } = await aProduct(key)
  const token = tokenOf((await aCheckout(key, id)).links.checkoutUrl.href)
  const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'DE', paymentMethod: 'directdebit' }
  await onProvidersPage(await submitCheckout(token, new URLSearchParams(buyer), visitor), { outcome: 'returned' })
  await pass({ key }, 'PT1H')
  await advanceWithoutTasks({ shop }, { days: 5 })
  return { shop, key }
}

const renewalOf = async (scenario: Scenario) => (await ordersOf(scenario))[1]

describe('a returned debit of a renewal', () => {
  afterEach(async () => {
    expect(await brokenInvariants()).toEqual({})
  })

  it.each([
    ['the return first', 0],
    ['the refund first', 1],
  ])('if a debit is returned during a refund request, the buyer gets the amount once (%s)', async (_, first) => {
    const scenario = await aboutToReturn()
    const sync = await claimReturn()
    const { id } = await renewalOf(scenario)
    const refund = () => send(`POST /v1/orders/${id}/refunds/full`, { key: scenario.key })
    const racers = [() => runTask(byName, sync), refund]
    const ends = await raceBehind<unknown>(lockOn('orders', id), first ? racers.reverse() : racers)
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    await drainTasks()
    await pass(scenario, 'PT2M')
    expect(await renewalOf(scenario)).toMatchObject({ status: 'pending', reversedSubtotal: { value: '0.00' } })
    const { data } = await get(scenario.key, `/v1/orders/${id}/refunds`)
    expect(data.every(({ status }: { status: string }) => status === 'canceled')).toBe(true)
    expect(await db().sandbox_refunds.count({ where: { storefront_id: scenario.shop.storefrontId } })).toBe(0)
  })

  it('if two workers fetch a renewal’s returned debit at the same time, the service records the return once', async () => {
    const scenario = await aboutToReturn()
    const sync = await claimReturn()
    const { id } = await renewalOf(scenario)
    await raceBehind<unknown>(lockOn('subscriptions', scenario.id), [
      () => runTask(byName, sync),
      () => runTask(byName, sync),
    ])
    await drainTasks()
    const failures = (await eventsOf(scenario.shop)).filter((name) => name === 'order.payment_failed')
    expect(failures).toHaveLength(1)
    expect(await db().ledger_entries.count({ where: { order_id: id, cause: 'return.received' } })).toBe(4)
  })
})

describe('a returned debit of a purchase', () => {
  afterEach(async () => {
    expect(await brokenInvariants()).toEqual({})
  })

  it('if two workers fetch a purchase’s returned debit at the same time, the service records the return once and sends one email', async () => {
    const { shop, key } = await purchaseAboutToReturn()
    const sync = await claimReturn()
    const [{ id }] = (await get(key, '/v1/orders')).data
    await raceBehind<unknown>(lockOn('orders', id), [() => runTask(byName, sync), () => runTask(byName, sync)], 1)
    await drainTasks()
    expect((await eventsOf(shop)).slice(2)).toEqual(['order.payment_failed'])
    const where = { storefront_id: shop.storefrontId, kind: 'purchase_unpaid' as const }
    expect(await db().emails.count({ where })).toBe(1)
  })
})
