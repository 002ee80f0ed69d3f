import { afterAll, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks, billingToken, booksOf, chooseMethod, makeHelpersDue } from '../../testing/scenarios.ts'
import { eventsOf, type Reply, runDueTasks } from '../../testing/shop.ts'
import { invoiced } from '../../testing/subscription-changes.ts'
import {
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { changeRequest } from '../portal/change.ts'
import { change as changeAs } from './operations.ts'
import { previewOf } from './preview.ts'
import type { AgreedChange } from './resolve.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const rotated = <Each>(list: readonly Each[], by: number): Each[] => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
]

/**
 * Returns the HTTP status of each concurrent call, undefined for a racer that runs due tasks, and the error text for a
 * racer that throws.
 */
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
  it.each([0, 1, 2, 3, 4])(
    'five concurrent operations on a subscription charge each order at most once (sequence %i)',
    async (order) => {
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
    },
  )

  it('the charges of concurrent changes to 2, 3, 4, and 5 units add up to the charge of one change to 5 units', async () => {
    const scenario = await subscriptionScenario()
    await pass(scenario, 'P10D')
    const to = (quantity: number) => () =>
      change(scenario, { quantity, applyImmediately: true, invoiceImmediately: true })
    // A change is refused if an earlier change set more units, because the order of the change would be negative.
    const statuses = await race(scenario, [2, 3, 4, 5].map(to))
    for (const status of statuses) expect([200, 422]).toContain(status)
    expect(statuses.at(-1)).toBe(200)
    await drainTasks()
    await isChargedOnce(scenario)
    const orders = await ordersOf(scenario)
    // Together, the concurrent changes charge as much as one change from 1 to 5 units, apart from at most one cent of
    // rounding per line.
    const charged = orders
      .slice(1)
      .reduce((sum: number, { total }: { total: { value: string } }) => sum + Math.round(Number(total.value) * 100), 0)
    const { quantity, renewedUntil, startedAt } = await subscriptionOf(scenario)
    expect(quantity).toBe(5)
    const share = 1 - 10 / ((Date.parse(renewedUntil) - Date.parse(startedAt)) / 86_400_000)
    expect(Math.abs(charged - 4 * 10_000 * share)).toBeLessThan(10)
  })

  it.each([0, 1, 2])(
    'a concurrent immediate cancellation, resumption, and end of the grace period end the subscription once, without a charge (sequence %i)',
    async (order) => {
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
    },
  )

  it('an immediate cancellation waits for the outcome of a charge in progress', async () => {
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

/** Claims a task even while it runs, as another process does after the lease has expired. */
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

describe('an update of a charge by the provider', () => {
  it('an update of a charge takes effect once if two runs of a task fetch the update', async () => {
    const scenario = await withDebit()
    const first = await claim(scenario, 'subscription.charge')
    let repeated: Promise<boolean> | undefined
    // The first run has read that the debit is pending. Then its lease ends, and the bank pays.
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

  it('concurrent notices about a charge take effect once', async () => {
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

  it('a notice about a charge fails if it arrives before the response to the charge, and takes effect when the notice is repeated', async () => {
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

it('a refund that is made after the check of the shown price does not change the charge of a subscription change', async () => {
  const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
  const { id } = (await ordersOf(scenario))[0]
  const shown: unknown[] = []
  const agreed: AgreedChange = async (tx, locked, asked) => {
    const { preview, decided } = await previewOf(tx, locked, asked, tx.now)
    shown.push(preview.now?.total)
    expect((await send(`POST /v1/orders/${id}/refunds/full`, { key: scenario.key })).status).toBe(201)
    expect((await previewOf(tx, locked, asked, tx.now)).preview.now?.total).not.toEqual(preview.now?.total)
    return { at: tx.now, decided }
  }
  await changeAs(scenario.shop.scope, scenario.id, changeRequest({ quantity: 4, ...invoiced }), agreed)
  await drainTasks()
  const totals = (await ordersOf(scenario)).map(({ total }: { total: object }) => total)
  expect(totals).toContainEqual(shown[0])
})
