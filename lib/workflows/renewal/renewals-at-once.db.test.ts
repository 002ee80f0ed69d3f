import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { amount } from '../../testing/amount.ts'
import { copySale, jumpClock } from '../../testing/bulk.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { makeProgram, type Runner, startRunner } from '../../testing/processes.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { subscriptionScenario } from '../../testing/subscription-scenario.ts'

const processes = 4
const workersEach = 8

let program: Awaited<ReturnType<typeof makeProgram>>
let runners: Runner[]

beforeAll(async () => {
  program = await makeProgram()
  runners = Array.from({ length: processes }, () => startRunner(program.file))
  await Promise.all(runners.map((runner) => runner.work({ workers: workersEach, atOnce: 1 })))
})

afterAll(async () => {
  await Promise.all(runners.map((runner) => runner.stop()))
  program.remove()
})

describe('many renewals that are due at the same time', () => {
  it.each([
    ['one task at a time', 1, amount({ short: 48, long: 1_000 })],
    // All workers of one process can claim at most 96 tasks together, so a second process has work too.
    ['twelve tasks at a time', 12, amount({ short: 120, long: 1_000 })],
  ])(
    '32 workers in four processes bill each renewal exactly once when each worker claims %s',
    async (_, atOnce, total) => {
      const scenario = await subscriptionScenario()
      await copySale(scenario, total)
      expect(await brokenInvariants()).toEqual({})
      await jumpClock(scenario, 32 * 86_400)

      const mine = { storefront_id: scenario.shop.storefrontId }
      const due = await db().tasks.count({ where: { run_at: { lte: new Date() } } })
      expect(due).toBeGreaterThanOrEqual(total)

      const hold = { sql: 'LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE' }
      const work = runners.map((runner) => () => runner.work({ workers: workersEach, atOnce }))
      const ends = await raceBehind(hold, work, processes * workersEach)
      const ran = ends.map((end) => (end.status === 'fulfilled' ? end.value.ran : Number.NaN))
      // At least two processes must run tasks. On a busy machine, a process may start after the few batches of twelve
      // tasks are done.
      expect(ran.filter((each) => each > 0).length).toBeGreaterThan(1)
      expect(ran.reduce((sum, each) => sum + each, 0)).toBe(due + total)

      const renewals = { ...mine, subscription_id: { not: null } }
      const orders = await db().orders.findMany({ where: renewals, select: { subscription_id: true, status: true } })
      expect(orders).toHaveLength(total)
      expect(new Set(orders.map((order) => order.subscription_id)).size).toBe(orders.length)
      expect(orders.every((order) => order.status === 'paid')).toBe(true)
      const charges = await db().sandbox_payments.groupBy({
        by: ['status'],
        where: { ...mine, mandate_ref: { not: null } },
        _count: true,
      })
      expect(charges).toEqual([{ status: 'paid', _count: total }])
      expect(await db().subscription_periods.count({ where: mine })).toBe(2 * total)
      const eventCounts = await db().events.groupBy({
        by: ['name'],
        where: mine,
        _count: true,
        orderBy: { name: 'asc' },
      })
      expect(eventCounts.filter(({ name }) => name === 'order.paid' || name === 'subscription.updated')).toEqual([
        { name: 'order.paid', _count: 2 * total },
        { name: 'subscription.updated', _count: total },
      ])
      expect(await brokenInvariants()).toEqual({})
    },
  )
})
