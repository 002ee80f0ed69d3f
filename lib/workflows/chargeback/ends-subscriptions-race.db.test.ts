import { afterEach, describe, expect, it, vi } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { claimNamed } from '../../testing/claim-named.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { type Journey, testKillAtEachCommit } from '../../testing/kill-at-each-commit.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { revokedAtProvider } from '../../testing/revoked-at-provider.ts'
import { advanceWithoutTasks, booksOf } from '../../testing/scenarios.ts'
import { eventsOf, runDueTasks } from '../../testing/shop.ts'
import {
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { move, raise, syncNow } from './operations.ts'

const byName = new Map(jobs.map((job) => [job.name, job]))

const firstOrder = async (scenario: Scenario) => (await ordersOf(scenario))[0]
const disputed = async (scenario: Scenario) => raise((await firstOrder(scenario)).id, { reason: 'fraud' })
const attempts = async ({ shop }: Scenario) =>
  (await db().sandbox_payments.findMany({ where: { storefront_id: shop.storefrontId }, orderBy: { ref: 'asc' } })).map(
    ({ status }) => status,
  )

describe('a dispute at the time of a renewal', () => {
  afterEach(async () => {
    vi.restoreAllMocks()
    expect(await brokenInvariants()).toEqual({})
  })

  it.each([
    ['the renewal first', 0],
    ['the dispute first', 1],
  ])('a dispute prevents the charge of a renewal that is due at the same moment (%s)', async (_, first) => {
    const scenario = await subscriptionScenario()
    await advanceWithoutTasks(scenario, { months: 1 })
    const due = await claimNamed('subscription.period_end')
    const racers = [() => runTask(byName, due), () => disputed(scenario)]
    const ends = await raceBehind<unknown>(lockOn('subscriptions', scenario.id), first ? racers.reverse() : racers)
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    await drainTasks()
    expect((await attempts(scenario)).filter((status) => status === 'paid')).toHaveLength(1)
    await pass(scenario, 'P2M')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
    expect((await attempts(scenario)).filter((status) => status === 'paid')).toHaveLength(1)
    const open = (await ordersOf(scenario)).filter(({ status }: { status: string }) => status === 'pending')
    expect(open).toEqual([])
  })

  it('if a charge that began before a dispute is paid after the dispute, the subscription ends with the period of this charge', async () => {
    const scenario = await subscriptionScenario({ buyer: { paymentMethod: 'ideal' } })
    await pass(scenario, 'P1MT1M')
    expect(await attempts(scenario)).toEqual(['paid', 'pending'])
    await disputed(scenario)
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'on_grace_period', mandate: null })
    await pass(scenario, 'PT1H')
    expect((await ordersOf(scenario)).map(({ status }: { status: string }) => status)).toEqual(['paid', 'paid'])
    const { status, renewedUntil } = await subscriptionOf(scenario)
    expect([status, renewedUntil.slice(0, 10)]).toEqual(['on_grace_period', '2027-03-01'])
    await pass(scenario, 'P2M')
    expect(await attempts(scenario)).toEqual(['paid', 'paid'])
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', endedAt: renewedUntil })
  })

  it('if a charge that began before a dispute fails after the dispute, the charge is not retried and the subscription ends', async () => {
    const scenario = await subscriptionScenario({ buyer: { paymentMethod: 'ideal' } })
    await pass(scenario, 'P1MT1M')
    await disputed(scenario)
    const [, renewal] = await ordersOf(scenario)
    await send(`POST /v1/test-helpers/orders/${renewal.id}/simulate-payment`, {
      key: scenario.key,
      body: { paymentStatus: 'failed', failureReason: 'insufficient_funds' },
    })
    await drainTasks()
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
    expect((await ordersOf(scenario)).map(({ status }: { status: string }) => status)).toEqual(['paid', 'canceled'])
    expect((await eventsOf(scenario.shop)).slice(-3)).toEqual([
      'order.payment_failed',
      'order.canceled',
      'subscription.canceled_immediately',
    ])
    await pass(scenario, 'P1M')
    expect(await attempts(scenario)).toEqual(['paid', 'failed'])
  })

  it('two concurrent disputes of the same payment cancel the subscription and revoke its mandate once', async () => {
    const scenario = await subscriptionScenario()
    const { mandate_id: id } = await db().subscriptions.findUniqueOrThrow({ where: { id: scenario.id } })
    const revoked = revokedAtProvider()
    const ends = await raceBehind<unknown>(lockOn('subscriptions', scenario.id), [
      () => disputed(scenario),
      () => disputed(scenario),
    ])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    await drainTasks()
    const events = (await eventsOf(scenario.shop)).filter((name) => name.startsWith('subscription.'))
    expect(events).toEqual(['subscription.started', 'subscription.canceled_with_grace_period'])
    const mandate = await db().mandates.findUniqueOrThrow({ where: { id: id ?? '' } })
    expect(mandate.revoked_at).toEqual(expect.any(Date))
    expect(revoked).toEqual([mandate.provider_ref])
  })
})

interface End {
  status: string
  orders: { status: string; attempts: string[] }[]
  events: string[]
}

const paid = { status: 'paid', attempts: ['paid'] }
const journeys: Record<string, Journey<Scenario, End>> = {
  'a dispute for fraud that is lost': {
    begin: async () => undefined,
    killed: async (scenario) => {
      const mine = { where: { storefront_id: scenario.shop.storefrontId } }
      if (!(await db().sandbox_chargebacks.count(mine))) await disputed(scenario)
      const { ref, status } = await db().sandbox_chargebacks.findFirstOrThrow(mine)
      const known = await syncNow(scenario.shop.scope, { orderId: (await firstOrder(scenario)).id, ref })
      await runDueTasks()
      // The service must process the open dispute before the same dispute is lost, because the journey expects the events of both statuses.
      if (status === 'pending') await move(known.chargebackId, 'lost')
      await runDueTasks()
    },
    ends: {
      status: 'canceled',
      orders: [paid],
      events: [
        'order.chargeback_received',
        'subscription.canceled_with_grace_period',
        'subscription.canceled_immediately',
      ],
    },
  },
}

testKillAtEachCommit(journeys, {
  begin: () => subscriptionScenario(),
  endOf: async (scenario) => ({
    status: (await subscriptionOf(scenario)).status,
    orders: (await booksOf(scenario)).filter(({ attempts }) => attempts.length > 0),
    events: (await eventsOf(scenario.shop)).slice(3),
  }),
  whole: (ends: End) => ends,
  places: 3,
})
