import { describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { runBatch } from '../../platform/jobs/run-task.ts'
import { claimDueTasks } from '../../platform/jobs/worker.ts'
import { jobs } from '../../server/jobs.ts'
import { copySale, jumpClock } from '../../testing/bulk.ts'
import { decisive, expireLeases, killedAt, moments } from '../../testing/crash.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import { brokenAtRest, brokenInvariants } from '../../testing/invariants.ts'
import { eventsOf } from '../../testing/shop.ts'
import { ordersOf, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { change, pauseTyped } from '../subscription-change/operations.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

const byName = new Map(jobs.map((job) => [job.name, job]))

async function runAll(): Promise<void> {
  for (;;) {
    const tasks = await claimDueTasks('work', 100, 90_000)
    if (tasks.length === 0) return
    await runBatch(byName, tasks)
  }
}

async function due(total: number, buyer: object = {}): Promise<Scenario> {
  const scenario = await subscriptionScenario({ buyer })
  await copySale(scenario, total)
  return scenario
}

const month = 32 * 86_400
const renewed = async (scenario: Scenario): Promise<string[]> =>
  (await ordersOf(scenario))
    .filter((order: { lines: { productType: string }[] }) => order.lines[0]?.productType === 'subscription')
    .map((order: { status: string }) => order.status)

const ids = async ({ shop }: Scenario): Promise<string[]> =>
  (await db().subscriptions.findMany({ where: { storefront_id: shop.storefrontId }, orderBy: { id: 'asc' } })).map(
    ({ id }) => id,
  )

describe('twelve renewals in one batch', () => {
  it('a batch renews and pays twelve subscriptions, emits their events, and schedules their next renewals', async () => {
    const scenario = await due(12)
    await jumpClock(scenario, month)
    await runAll()
    expect(await renewed(scenario)).toEqual(Array(24).fill('paid'))
    const eventNames = await eventsOf(scenario.shop)
    expect(eventNames.filter((name) => name === 'subscription.updated')).toHaveLength(12)
    expect(eventNames.filter((name) => name === 'order.paid')).toHaveLength(24)
    const causes = await db().events.findMany({
      where: { name: 'subscription.updated' },
      select: { id: true, causation_id: true },
    })
    expect(causes.every(({ id, causation_id }) => id === causation_id)).toBe(true)
    expect(await brokenInvariants()).toEqual({})
  })

  it('in a batch of renewals, a scheduled update takes effect and a paused subscription is not renewed', async () => {
    const scenario = await due(6)
    const [scheduled = '', paused = ''] = await ids(scenario)
    const body = { prorate: true, applyImmediately: false, invoiceImmediately: false, resetAnchor: false }
    await change(scenario.shop.scope, scheduled, { ...body, quantity: 5 })
    await pauseTyped(paused)
    await jumpClock(scenario, month)
    await runAll()
    const updates = await db().events.findMany({
      where: { storefront_id: scenario.shop.storefrontId, name: 'subscription.updated' },
    })
    const reasons = updates.map(({ entity_id, body }) => [entity_id, JSON.parse(body).reason])
    expect(reasons).toContainEqual([scheduled, 'updated_on_renewal'])
    expect(reasons.filter(([, reason]) => reason === 'renewed')).toHaveLength(4)
    expect(await renewed(scenario)).toEqual(Array(11).fill('paid'))
    expect(await brokenInvariants()).toEqual({})
  })

  it('renewals of a batch with declined payment methods have separate recoveries', async () => {
    const scenario = await due(5)
    await declineMandate(scenario.id, 'insufficient_funds')
    await jumpClock(scenario, month)
    await runAll()
    expect(await db().recoveries.count({ where: { status: 'open', kind: 'soft' } })).toBe(5)
    expect((await eventsOf(scenario.shop)).filter((name) => name === 'order.payment_failed')).toHaveLength(5)
    expect(await brokenInvariants()).toEqual({})
  })

  it('renewals by direct debit are sent in a batch and settled by the bank', async () => {
    const scenario = await due(5, { paymentMethod: 'ideal' })
    await jumpClock(scenario, month)
    await runAll()
    expect(await db().payments.count({ where: { storefront_id: scenario.shop.storefrontId, status: 'pending' } })).toBe(
      5,
    )
    await jumpClock(scenario, 900)
    await runAll()
    expect(await renewed(scenario)).toEqual(Array(10).fill('paid'))
    expect(await brokenInvariants()).toEqual({})
  })

  it.each(moments)(
    'if the process is killed %s any write of a batch, each subscription is renewed exactly once',
    async (moment) => {
      const scenario = await due(4)
      await jumpClock(scenario, month)
      const restore = await takeSnapshot()
      const killedOnce = async (n: number): Promise<boolean> => {
        await restore()
        const killed = await killedAt(n, moment, runAll, decisive())
        expect(await brokenAtRest()).toEqual({})
        await expireLeases()
        await runAll()
        expect(await brokenInvariants()).toEqual({})
        expect(await renewed(scenario)).toEqual(Array(8).fill('paid'))
        return killed
      }
      let n = 1
      while (await killedOnce(n)) n++
      expect(n).toBeGreaterThan(6)
    },
  )
})
