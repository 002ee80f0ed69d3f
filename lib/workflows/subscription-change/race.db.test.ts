import { afterEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks, billingToken, booksOf, chooseMethod, makeHelpersDue } from '../../testing/scenarios.ts'
import { eventsOf, type Reply, runDueTasks } from '../../testing/shop.ts'
import {
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const rotated = <Each>(list: readonly Each[], by: number): Each[] => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
]

/** `undefined` stands for the timers, which no request starts. */
async function race(scenario: Scenario, racers: readonly (() => Promise<Reply | undefined>)[]) {
  const ends = await raceBehind(lockOn('subscriptions', scenario.id), racers)
  return ends.map((end) => (end.status === 'fulfilled' ? end.value?.status : `${end.reason}`))
}

const timers = async () => {
  await runDueTasks()
  return undefined
}
const change = ({ id, key }: Scenario, body: object) => send(`PATCH /v1/subscriptions/${id}`, { key, body })
const end = ({ id, key }: Scenario, query = '') => send(`DELETE /v1/subscriptions/${id}${query}`, { key })
const resume = ({ id, key }: Scenario) => send(`POST /v1/subscriptions/${id}/resume`, { key })
const fastForward = ({ id, key }: Scenario) =>
  send(`POST /v1/test-helpers/subscriptions/${id}/fast-forward-renewal`, { key, body: { paymentStatus: 'paid' } })

const paidOnce = { status: 'paid', attempts: ['paid'] }
const paidEvents = async ({ shop }: Scenario) => (await eventsOf(shop)).filter((name) => name === 'order.paid').length

async function isChargedOnce(scenario: Scenario): Promise<void> {
  for (const { status, attempts } of await booksOf(scenario)) {
    expect(attempts.filter((attempt) => attempt === 'paid').length).toBeLessThanOrEqual(1)
    expect(status).not.toBe('pending')
  }
}

describe('concurrent operations on a subscription', () => {
  it.each([0, 1, 2, 3, 4])('five racers charge once (order %i)', async (order) => {
    const scenario = await subscriptionScenario()
    await advanceWithoutTasks(scenario, { months: 1, hours: 1 })
    const changed = { quantity: 3, applyImmediately: true, invoiceImmediately: true }
    const racers = [
      timers,
      () => change(scenario, changed),
      () => end(scenario),
      () => resume(scenario),
      () => fastForward(scenario),
    ]
    const statuses = await race(scenario, rotated(racers, order))
    for (const status of statuses) expect([undefined, 200, 204, 409, 422]).toContain(status)
    expect(statuses).toContain(204)
    await makeHelpersDue()
    await drainTasks()
    await isChargedOnce(scenario)
    await pass(scenario, 'P2M')
    await isChargedOnce(scenario)
    const periods = await db().subscription_periods.findMany({
      where: { subscription_id: scenario.id },
      orderBy: { start_at: 'asc' },
    })
    for (const [index, period] of periods.entries()) {
      if (index > 0) expect(period.start_at).toEqual(periods[index - 1]?.end_at)
    }
  })

  it('concurrent immediate changes are each charged for the difference to the previous one', async () => {
    const scenario = await subscriptionScenario()
    await pass(scenario, 'P10D')
    const to = (quantity: number) => () =>
      change(scenario, { quantity, applyImmediately: true, invoiceImmediately: true })
    // A smaller change after a larger change would be an order below zero.
    const statuses = await race(scenario, [2, 3, 4, 5].map(to))
    for (const status of statuses) expect([200, 422]).toContain(status)
    expect(statuses.at(-1)).toBe(200)
    await drainTasks()
    await isChargedOnce(scenario)
    const orders = await ordersOf(scenario)
    // The charges of the changes add up to the cost of the last change alone. Each line rounds by at most a cent.
    const charged = orders
      .slice(1)
      .reduce((sum: number, { total }: { total: { value: string } }) => sum + Math.round(Number(total.value) * 100), 0)
    const { quantity, renewedUntil, startedAt } = await subscriptionOf(scenario)
    expect(quantity).toBe(5)
    const share = 1 - 10 / ((Date.parse(renewedUntil) - Date.parse(startedAt)) / 86_400_000)
    expect(Math.abs(charged - 4 * 10_000 * share)).toBeLessThan(10)
  })

  it.each([0, 1, 2])('end, resumption, and grace period charge once (order %i)', async (order) => {
    const scenario = await subscriptionScenario()
    await end(scenario)
    await advanceWithoutTasks(scenario, { months: 1, hours: 1 })
    const racers = [timers, () => end(scenario, '?immediately=true'), () => resume(scenario)]
    const statuses = await race(scenario, rotated(racers, order))
    for (const status of statuses) expect([undefined, 204, 422]).toContain(status)
    expect(statuses).toContain(422)
    await drainTasks()
    expect(await subscriptionOf(scenario)).toMatchObject({
      status: 'canceled',
      cancellationReason: 'merchant_request',
    })
    const ended = ['subscription.cancellation_grace_period_completed', 'subscription.canceled_immediately']
    expect((await eventsOf(scenario.shop)).filter((name) => ended.includes(name))).toHaveLength(1)
    await pass(scenario, 'P2M')
    expect(await booksOf(scenario)).toEqual([paidOnce])
  })

  it('an immediate end during a charge leaves the decision to the charge', async () => {
    for (const order of [0, 1]) {
      const scenario = await subscriptionScenario()
      await advanceWithoutTasks(scenario, { months: 1, hours: 1 })
      await runOne(scenario, 'subscription.period_end')
      const statuses = await race(scenario, rotated([timers, () => end(scenario, '?immediately=true')], order))
      expect(statuses).toContain(204)
      await drainTasks()
      expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled' })
      expect(await booksOf(scenario)).toEqual(Array(2).fill(paidOnce))
    }
  })
})

const byName = new Map(jobs.map((job) => [job.name, job]))

/** A second claim during the first run acts like the claim after an expired lease. */
async function claim({ shop }: Scenario, name: string) {
  const [task] = await db().$queryRaw<{ taskId: string; claimVersion: number }[]>`
    UPDATE tasks SET claim_version = claim_version + 1, attempts = attempts + 1, leased_until = clock_timestamp() + interval '90 seconds'
    WHERE id = (SELECT id FROM tasks WHERE storefront_id = ${shop.storefrontId} AND name = ${name} ORDER BY due_at LIMIT 1)
    RETURNING id AS "taskId", claim_version AS "claimVersion"`
  if (!task) throw new Error(`no task ${name} waits`)
  return task
}

async function runOne(scenario: Scenario, name: string): Promise<void> {
  expect(await runTask(byName, await claim(scenario, name))).toBe(true)
}

async function withDebit(): Promise<Scenario> {
  const scenario = await subscriptionScenario()
  await chooseMethod(await billingToken(scenario), 'directdebit')
  await advanceWithoutTasks(scenario, { months: 1, hours: 1 })
  await runOne(scenario, 'subscription.period_end')
  return scenario
}

const debitOf = ({ shop }: Scenario) =>
  db().sandbox_payments.findFirstOrThrow({ where: { storefront_id: shop.storefrontId, mandate_ref: { not: null } } })

async function bankPays(scenario: Scenario): Promise<string> {
  const { ref } = await debitOf(scenario)
  await db().sandbox_payments.update({ where: { ref }, data: { status: 'paid' } })
  return ref
}

describe('a provider’s update of a charge', () => {
  it('an update of a repeated charge takes effect once', async () => {
    const scenario = await withDebit()
    const first = await claim(scenario, 'subscription.charge')
    let repeated: Promise<boolean> | undefined
    // The first run knows that the debit is on its way. Then its lease ends, and the bank pays.
    const [ran] = await raceBehind(
      lockOn('subscriptions', scenario.id),
      [() => runTask(byName, first)],
      1,
      async () => {
        await bankPays(scenario)
        repeated = runTask(byName, await claim(scenario, 'subscription.charge'))
      },
    )
    expect(ran).toEqual({ status: 'fulfilled', value: false })
    expect(await repeated).toBe(true)
    await drainTasks()
    expect(await booksOf(scenario)).toEqual(Array(2).fill(paidOnce))
    expect(await paidEvents(scenario)).toBe(3)
  })

  it('concurrent notices of a charge take effect once', async () => {
    const scenario = await withDebit()
    await runDueTasks()
    const ref = await bankPays(scenario)
    const sync = async () => {
      await syncWithProvider(scenario.shop.scope, ref)
      return undefined
    }
    expect(await race(scenario, Array(6).fill(sync))).toEqual(Array(6).fill(undefined))
    await drainTasks()
    expect(await booksOf(scenario)).toEqual(Array(2).fill(paidOnce))
    expect(await paidEvents(scenario)).toBe(3)
  })

  it('a notice that comes before the charge’s own response is applied when it is repeated', async () => {
    const scenario = await withDebit()
    const charge = await claim(scenario, 'subscription.charge')
    await raceBehind(lockOn('subscriptions', scenario.id), [() => runTask(byName, charge)], 1, async () => {
      const ref = await bankPays(scenario)
      await expect(syncWithProvider(scenario.shop.scope, ref)).rejects.toThrow(/a paid payment .* that we do not know/)
    })
    await syncWithProvider(scenario.shop.scope, (await debitOf(scenario)).ref)
    await drainTasks()
    expect(await booksOf(scenario)).toEqual(Array(2).fill(paidOnce))
    expect(await paidEvents(scenario)).toBe(3)
  })
})
