import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import type { ClaimedTask, TaskRunner } from '../../platform/jobs/task-runner.ts'
import { runAdvance } from '../../platform/jobs/test-clock.ts'
import { startWorker, stopWorker } from '../../platform/jobs/worker.ts'
import { tasks } from '../../server/jobs.ts'
import { copySale, spread } from '../../testing/bulk.ts'
import { decisive, expireLeases, killedAt, moments } from '../../testing/crash.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import * as factories from '../../testing/factories.ts'
import { aGate } from '../../testing/gate.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { makeProgram, startRunner } from '../../testing/processes.ts'
import { aReceiver } from '../../testing/receiver.ts'
import { type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { cancel, change } from '../subscription-change/operations.ts'
import { declineMandate } from './mandates.ts'
import { advanceByDuration, showClock } from './operations.ts'

/**
 * A clock advance runs due tasks of several subscriptions as a batch. These tests check that the effects are the same
 * as if the tasks ran one by one.
 */

afterEach(async () => {
  await stopWorker()
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const second = 1_000

async function sold(
  total: number,
  apart: number,
  waiting: Promise<Scenario> = subscriptionScenario(),
): Promise<Scenario> {
  const first = await waiting
  await copySale(first, total)
  await spread(first, apart)
  return first
}

const ids = async ({ shop }: Scenario): Promise<string[]> =>
  (await db().subscriptions.findMany({ where: { storefront_id: shop.storefrontId }, orderBy: { id: 'asc' } })).map(
    ({ id }) => id,
  )

async function dueFrom(scenario: Scenario, apart: number): Promise<(n: number) => string> {
  const [first = ''] = await ids(scenario)
  const { renewed_until } = await db().subscriptions.findUniqueOrThrow({ where: { id: first } })
  return (n) => new Date((renewed_until?.getTime() ?? 0) + n * apart * second).toISOString()
}

async function to({ shop }: Scenario, moment: string, runner: TaskRunner = tasks.embedded): Promise<void> {
  const { storefrontId } = shop
  const { remaining } = await advanceByDuration(shop.scope, { to: new Date(moment) }, runner)
  const { advancing_to } = await db().clocks.findUniqueOrThrow({ where: { storefront_id: storefrontId } })
  const left = advancing_to ? (await runAdvance(storefrontId, runner, Date.now() + 600_000, null)).remaining : remaining
  expect(left).toBe(0)
}

function listening(before: (kind: string, some: readonly ClaimedTask[]) => Promise<unknown> = async () => undefined) {
  const batches: [string, number][] = []
  const runner: TaskRunner = {
    ...tasks.embedded,
    batchOf: (kind) => {
      const runBatch = tasks.embedded.batchOf?.(kind)
      if (!runBatch) return null
      return async (some) => {
        batches.push([kind, some.length])
        await before(kind, some)
        await runBatch(some)
      }
    },
  }
  return { batches, bell: runner }
}

/**
 * Compares each timestamp in the records of all renewals with the due date of the renewal. Returns each delay in
 * seconds (`late`), and the number of timestamps with this delay (`count`).
 */
async function lateness({ shop }: Scenario): Promise<{ late: number; count: number }[]> {
  return db().$queryRaw`
    WITH renewals AS (
      SELECT o.*, p.start_at FROM subscription_periods p JOIN orders o ON o.id = p.order_id
      WHERE p.storefront_id = ${shop.storefrontId} AND o.checkout_id IS NULL)
    SELECT late, count(*)::int FROM renewals r, LATERAL (
      SELECT extract(epoch FROM r.created_at - start_at)::int AS late
      UNION ALL SELECT extract(epoch FROM r.paid_at - start_at)::int
      UNION ALL SELECT extract(epoch FROM p.created_at - start_at)::int FROM payments p WHERE p.order_id = r.id
      UNION ALL SELECT extract(epoch FROM p.finished_at - start_at)::int FROM payments p WHERE p.order_id = r.id
      UNION ALL SELECT extract(epoch FROM s.created_at - start_at)::int FROM payments p JOIN sandbox_payments s ON s.idempotency_key = p.id WHERE p.order_id = r.id
      UNION ALL SELECT extract(epoch FROM e.created_at - start_at)::int FROM events e WHERE e.entity_id = r.id
      UNION ALL SELECT extract(epoch FROM l.created_at - start_at)::int FROM ledger_entries l WHERE l.order_id = r.id
      UNION ALL SELECT extract(epoch FROM (body::json->>'createdAt')::timestamptz - start_at)::int FROM events e WHERE e.entity_id = r.id) moments
    WHERE late IS NOT NULL GROUP BY 1 ORDER BY 1`
}

/** Returns the renewals that were paid too early (before their due date) or too late (after the last due date of their batch). */
const laterThanItsBatch = ({ shop }: Scenario) =>
  db().$queryRaw<unknown[]>`
    WITH renewals AS (
      SELECT p.start_at, o.paid_at FROM subscription_periods p JOIN orders o ON o.id = p.order_id
      WHERE p.storefront_id = ${shop.storefrontId} AND o.checkout_id IS NULL)
    SELECT * FROM renewals WHERE NOT coalesce(paid_at BETWEEN start_at AND (
      SELECT max(start_at) FROM renewals other WHERE other.start_at < renewals.start_at + interval '600 seconds'), false)`

/** The number of timestamps per renewal that `lateness` compares, for a buyer who pays no tax. */
const momentsOfRenewal = 10

/** Returns the invoice numbers of orders that were paid before the order with the previous invoice number. */
const outOfOrder = ({ shop }: Scenario) =>
  db().$queryRaw<unknown[]>`
    SELECT number FROM (
      SELECT invoice_number AS number, paid_at, lag(paid_at) OVER (ORDER BY invoice_number) AS before FROM orders
      WHERE storefront_id = ${shop.storefrontId} AND invoice_number IS NOT NULL) numbered
    WHERE paid_at < before`

const eventsAbout = async (id: string) =>
  (await db().events.findMany({ where: { entity_id: id }, orderBy: { id: 'asc' } })).map(({ name, created_at }) => [
    name,
    created_at.toISOString(),
  ])

describe('renewals of different times in one advance', () => {
  it('in one clock advance, renewals run as a batch, and each renewal records its due time', async () => {
    const scenario = await sold(12, 37)
    const { batches, bell: runner } = listening()
    await to(scenario, '2027-03-15T00:00:00Z', runner)
    expect(batches).toEqual(
      Array(2)
        .fill([
          ['subscription.period_end', 12],
          ['subscription.charge', 12],
        ])
        .flat(),
    )
    expect(await lateness(scenario)).toEqual([{ late: 0, count: 12 * 2 * momentsOfRenewal }])
    expect(await outOfOrder(scenario)).toEqual([])
  })

  it('a renewal in a clock advance does not wait for a renewal at a much later time', async () => {
    const scenario = await sold(4, 7_200)
    await to(scenario, '2027-03-15T00:00:00Z')
    expect((await lateness(scenario)).length).toBe(1)
    expect(await outOfOrder(scenario)).toEqual([])
  })

  it('in a clock advance, a renewal happens at its due time, even if it applies a scheduled change, ends the subscription, or is declined', async () => {
    const scenario = await sold(9, 20)
    const [, , scheduled = '', , ended = '', , declined = ''] = await ids(scenario)
    const at = await dueFrom(scenario, 20)
    const body = { prorate: true, applyImmediately: false, invoiceImmediately: false, resetAnchor: false }
    await change(scenario.shop.scope, scheduled, { ...body, quantity: 5 })
    await cancel(scenario.shop.scope, ended, { immediately: false })
    // The copied subscriptions share their payment method. This subscription gets its own method, which is declined.
    const { mandate_id } = await db().subscriptions.findUniqueOrThrow({ where: { id: declined } })
    await db().$executeRaw`
      INSERT INTO mandates SELECT (jsonb_populate_record(m, '{"id": "mandate_0000000000000000000001"}')).* FROM mandates m WHERE id = ${mandate_id}`
    await db()
      .$executeRaw`UPDATE subscriptions SET mandate_id = 'mandate_0000000000000000000001' WHERE id = ${declined}`
    await declineMandate(declined, 'card_expired')
    await to(scenario, '2027-02-03T00:00:00Z')

    expect((await eventsAbout(scheduled)).at(-1)).toEqual(['subscription.updated', at(2)])
    expect((await eventsAbout(ended)).at(-1)).toEqual(['subscription.cancellation_grace_period_completed', at(4)])
    expect((await eventsAbout(declined)).at(-1)).toEqual(['subscription.updated', at(6)])
    const recoveries = await db().recoveries.findMany({ where: { subscription_id: declined } })
    expect(recoveries.map(({ started_at }) => started_at.toISOString())).toEqual([at(6)])
    const orders = await db().orders.findMany({ where: { subscription_id: declined, status: 'pending' } })
    expect(orders.map(({ created_at }) => created_at.toISOString())).toEqual([at(6)])
    expect(await lateness(scenario)).toEqual([expect.objectContaining({ late: 0 })])
    expect(await outOfOrder(scenario)).toEqual([])
  })

  it('in a clock advance, each direct debit of a renewal settles 10 to 15 minutes after its charge, in the order of invoice numbers', async () => {
    const scenario = await sold(8, 90, subscriptionScenario({ buyer: { paymentMethod: 'ideal' } }))
    await to(scenario, '2027-02-03T00:00:00Z')
    const waited = await db().$queryRaw<{ seconds: number }[]>`
      SELECT extract(epoch FROM p.finished_at - p.created_at)::int AS seconds FROM payments p
      WHERE storefront_id = ${scenario.shop.storefrontId} AND mandate_id IS NOT NULL`
    expect(waited.length).toBe(8)
    for (const { seconds } of waited) {
      expect(seconds).toBeGreaterThanOrEqual(600)
      expect(seconds).toBeLessThanOrEqual(900)
    }
    expect(await outOfOrder(scenario)).toEqual([])
  })

  it('each renewal around the end of a year gets an invoice number of the year in which it is paid', async () => {
    const scenario = await sold(6, 1, subscriptionScenario({ at: '2027-12-31T23:59:50Z', plan: { interval: 'year' } }))
    await to(scenario, '2028-12-31T23:59:40Z')
    const moments = await db().subscriptions.findMany({ where: { storefront_id: scenario.shop.storefrontId } })
    expect(new Set(moments.map(({ renewed_until }) => renewed_until?.toISOString().slice(0, 4)))).toEqual(
      new Set(['2028']),
    )
    await spread(scenario, 4)
    await to(scenario, '2029-01-02T00:00:00Z')
    const numbered = await db().orders.findMany({
      where: { storefront_id: scenario.shop.storefrontId, paid_at: { gt: new Date('2028-12-01T00:00:00Z') } },
      orderBy: { paid_at: 'asc' },
    })
    expect(numbered.map(({ paid_at, invoice_number }) => `${paid_at?.getUTCFullYear()} ${invoice_number}`)).toEqual([
      '2028 TEST-INV-2028-000001',
      '2028 TEST-INV-2028-000002',
      '2029 TEST-INV-2029-000001',
      '2029 TEST-INV-2029-000002',
      '2029 TEST-INV-2029-000003',
      '2029 TEST-INV-2029-000004',
    ])
  })

  it.each(moments)(
    'if the process is killed %s any write of a clock advance, the result is the same as without a kill',
    async (moment) => {
      const scenario = await sold(2, 30)
      const restore = await takeSnapshot()
      const killedOnce = async (n: number): Promise<boolean> => {
        await restore()
        const target = '2027-02-03T00:00:00Z'
        const killed = await killedAt(n, moment, () => to(scenario, target), decisive())
        await expireLeases()
        const { advancing_to } = await db().clocks.findUniqueOrThrow({
          where: { storefront_id: scenario.shop.storefrontId },
        })
        if (advancing_to) await runAdvance(scenario.shop.storefrontId, tasks.embedded, Date.now() + 600_000, null)
        else if (killed && (await showClock(scenario.shop.storefrontId)).now < target) await to(scenario, target)
        expect([n, await lateness(scenario)]).toEqual([n, [{ late: 0, count: 2 * momentsOfRenewal }]])
        expect([n, await outOfOrder(scenario)]).toEqual([n, []])
        expect([n, await brokenInvariants()]).toEqual([n, {}])
        return killed
      }
      let n = 1
      while (await killedOnce(n)) n++
      expect(n).toBeGreaterThan(10)
    },
  )
})

describe('a call during an advance', () => {
  it('a call during a clock advance acts at the clock’s current time, and the tasks that the call enqueues run later', async () => {
    const scenario = await sold(6, 60)
    const [, early = ''] = await ids(scenario)
    const at = await dueFrom(scenario, 60)
    const body = { prorate: true, applyImmediately: true, invoiceImmediately: false, resetAnchor: false }
    let called = false
    const { bell: runner } = listening(async (kind) => {
      if (kind !== 'subscription.charge' || called) return
      called = true
      await change(scenario.shop.scope, early, { ...body, quantity: 2 })
    })
    await to(scenario, '2027-02-03T00:00:00Z', runner)
    // The renewals ran as a batch, so the early renewal was paid at the time of the last renewal in the batch.
    expect((await eventsAbout(early)).slice(-2)).toEqual([
      ['subscription.updated', at(1)],
      ['subscription.updated', at(5)],
    ])
    const [renewal] = await db().orders.findMany({ where: { subscription_id: early }, orderBy: { id: 'desc' } })
    expect(renewal?.created_at.toISOString()).toBe(at(1))
    expect(renewal?.paid_at?.toISOString()).toBe(at(5))
    expect(await outOfOrder(scenario)).toEqual([])
  })

  it('a sale can complete during a clock advance', async () => {
    const scenario = await sold(3, 60)
    let sales = 0
    const { bell: runner } = listening(async () => {
      if (++sales > 5) return
      await factories.pay(scenario.key, await factories.aCheckout(scenario.key, scenario.planId), {
        country: 'DE',
        taxId: 'DE1',
      })
    })
    await to(scenario, '2027-05-03T00:00:00Z', runner)
    expect(sales).toBeGreaterThan(5)
    const subscriptions = await db().subscriptions.findMany({ where: { storefront_id: scenario.shop.storefrontId } })
    expect(subscriptions.length).toBe(3 + 5)
    for (const { renewed_until } of subscriptions)
      expect(renewed_until?.getTime()).toBeGreaterThan(Date.parse('2027-05-03T00:00:00Z'))
    // Some renewals are paid after their due date, but none after the due date of the last renewal in its batch.
    expect((await lateness(scenario)).some(({ late }) => late > 0)).toBe(true)
    expect(await laterThanItsBatch(scenario)).toEqual([])
    expect(await outOfOrder(scenario)).toEqual([])
  })
})

describe('deliveries during an advance', () => {
  it('webhook deliveries do not delay other tasks, and each delivery and retry happens at its scheduled time', async () => {
    const scenario = await sold(4, 60)
    const { open, opened } = aGate()
    const receiver = await aReceiver()
    await factories.anEndpoint(scenario.key, receiver.url, { enabledEvents: ['order.paid'] })
    receiver.answer = async (response, _, n) => {
      await opened
      response.writeHead(n <= 4 ? 500 : 200).end()
    }
    const moving = to(scenario, '2027-03-15T00:00:00Z')
    const paid = () => db().orders.count({ where: { storefront_id: scenario.shop.storefrontId, status: 'paid' } })
    await expect.poll(paid).toBe(4 + 8)
    open()
    await moving
    const deliveries = await db().deliveries.findMany({ where: { storefront_id: scenario.shop.storefrontId } })
    expect(deliveries.map(({ status }) => status)).toEqual(Array(8).fill('delivered'))
    // Each delivery was attempted at its own time, although the clock had already moved a month further.
    for (const { first_answered_at, created_at } of deliveries) expect(first_answered_at).toEqual(created_at)
    expect(receiver.events().length).toBe(8 + 4)
    await receiver.close()
  })
})

describe('a process that is killed during an advance', () => {
  it('after a kill during a clock advance, another process continues when the leases expire', async () => {
    const scenario = await subscriptionScenario()
    const program = await makeProgram()
    const { storefrontId } = scenario.shop
    const place = 'subscription.charge task.begun charge.before_provider'
    await startRunner(program.file).killAt({ storefrontId, by: { months: 1, days: 1 } }, place)
    program.remove()
    // Shortens the leases by nine seconds, as if most of the lease time had passed.
    await db().$executeRaw`UPDATE clocks SET advance_leased_until = advance_leased_until - interval '9 seconds'`
    await db()
      .$executeRaw`UPDATE tasks SET leased_until = leased_until - interval '9 seconds', run_at = run_at - interval '9 seconds'
      WHERE leased_until IS NOT NULL`
    startWorker(tasks.runner, tasks.embedded)
    const moving = () => db().clocks.count({ where: { storefront_id: storefrontId, advancing_to: { not: null } } })
    await expect.poll(moving).toBe(0)
    expect(await lateness(scenario)).toEqual([{ late: 0, count: momentsOfRenewal }])
  })
})
