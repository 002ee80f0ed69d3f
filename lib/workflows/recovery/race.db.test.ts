import { afterEach, describe, expect, it } from 'vitest'
import { parseDuration } from '../../kernel/calendar.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import { db } from '../../platform/db/db.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { sameBeginning } from '../../testing/same-beginning.ts'
import {
  advanceWithoutTasks,
  billingToken,
  booksOf,
  chooseMethod,
  failNextRenewal,
  makeHelpersDue,
} from '../../testing/scenarios.ts'
import { eventsOf, runDueTasks } from '../../testing/shop.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
  untilFirstRetry,
} from '../../testing/subscription-scenario.ts'
import { loadBillingUpdate } from '../billing-update/load-billing-update.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const byName = new Map(jobs.map((job) => [job.name, job]))

async function runOne({ shop }: Scenario, name: string): Promise<void> {
  const [task] = await db().$queryRaw<{ taskId: string; claimVersion: number }[]>`
    UPDATE tasks SET claim_version = claim_version + 1, attempts = attempts + 1, leased_until = clock_timestamp() + interval '90 seconds'
    WHERE id = (SELECT id FROM tasks WHERE storefront_id = ${shop.storefrontId} AND name = ${name} ORDER BY due_at LIMIT 1)
    RETURNING id AS "taskId", claim_version AS "claimVersion"`
  if (!task) throw new Error(`no task ${name} waits`)
  expect(await runTask(byName, task)).toBe(true)
}

async function race(
  scenario: Scenario,
  racers: readonly (() => Promise<unknown>)[],
  table?: 'billing_update_links',
): Promise<void> {
  const { id } = table
    ? await db().billing_update_links.findFirstOrThrow({
        where: { subscription_id: scenario.id },
        orderBy: { id: 'desc' },
      })
    : scenario
  const ends = await raceBehind(lockOn(table ?? 'subscriptions', id), racers)
  expect(ends.map((end) => (end.status === 'fulfilled' ? 'fulfilled' : end.reason))).toEqual(
    racers.map(() => 'fulfilled'),
  )
}

async function chosen(token: string, method = 'paypal'): Promise<void> {
  expect(await chooseMethod(token, method)).toEqual({ redirectTo: 'https://shop.example/ok' })
}

async function chosenAtLast(token: string): Promise<void> {
  const page = (await loadBillingUpdate(token, { acceptLanguage: 'de', header: () => null })).view
  if (page?.state === 'open' && page.due) await chosen(token)
}

const sold = { status: 'paid', attempts: ['paid'] }
const owed = async (scenario: Scenario) => (await booksOf(scenario)).slice(1)
const count = async ({ shop }: Scenario, name: string) => (await eventsOf(shop)).filter((each) => each === name).length

const declinedRenewal = sameBeginning(async (reason: FailureReason) =>
  failNextRenewal(await subscriptionScenario(), reason),
)

async function retryIsDue() {
  const scenario = await declinedRenewal('insufficient_funds')
  await advanceWithoutTasks(scenario, parseDuration(untilFirstRetry) ?? {})
  return { scenario, token: await billingToken(scenario) }
}

const both = [
  ['the retry first', 0],
  ['the new method first', 1],
] as const

describe('a new payment method at the time of a retry', () => {
  it.each(both)(
    'if a retry is declined, a concurrently added method is charged exactly once (%s)',
    async (_, first) => {
      const { scenario, token } = await retryIsDue()
      const racers = [() => runDueTasks(), () => chosen(token)]
      await race(scenario, first ? racers.reverse() : racers)
      await drainTasks()
      const [order, ...more] = await owed(scenario)
      expect(more).toEqual([])
      expect(order).toMatchObject({ status: 'paid' })
      expect(order?.attempts.filter((attempt) => attempt === 'paid')).toHaveLength(1)
      expect(await count(scenario, 'order.payment_failed')).toBe(1)
    },
  )

  it.each(both)(
    'if a retry and a charge of a concurrently added method would both succeed, only one of the two charges is made (%s)',
    async (_, first) => {
      const { scenario, token } = await retryIsDue()
      await declineMandate(scenario.id, null)
      const racers = [() => runDueTasks(), () => chosen(token)]
      await race(scenario, first ? racers.reverse() : racers)
      await drainTasks()
      expect(await owed(scenario)).toEqual([{ status: 'paid', attempts: ['failed', 'paid'] }])
      expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active', mandate: { method: 'paypal' } })
    },
  )

  it('a new method is charged after the last retry fails, and the subscription continues', async () => {
    const scenario = await declinedRenewal('insufficient_funds')
    await pass(scenario, 'P14D')
    await advanceWithoutTasks(scenario, { days: 7 })
    await runOne(scenario, 'recovery.step')
    await chosen(await billingToken(scenario))
    await drainTasks()
    expect(await owed(scenario)).toEqual([
      { status: 'paid', attempts: ['failed', 'failed', 'failed', 'failed', 'failed', 'paid'] },
    ])
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active' })
  })

  it.each(['insufficient_funds', 'card_expired'] as const)(
    'a new method is charged after the pending first charge fails (%s)',
    async (reason) => {
      const scenario = await subscriptionScenario()
      await declineMandate(scenario.id, reason)
      await advanceWithoutTasks(scenario, { months: 1, hours: 1 })
      await runOne(scenario, 'subscription.period_end')
      await chosen(await billingToken(scenario))
      await drainTasks()
      expect(await owed(scenario)).toEqual([{ status: 'paid', attempts: ['failed', 'paid'] }])
      expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active' })
    },
  )

  it('the failure of the first charge and the failure of a new method belong to the same recovery', async () => {
    const scenario = await subscriptionScenario()
    await declineMandate(scenario.id, 'card_expired')
    await advanceWithoutTasks(scenario, { months: 1, hours: 1 })
    await runOne(scenario, 'subscription.period_end')
    await chosen(await billingToken(scenario))
    await declineMandate(scenario.id, 'card_expired')
    await drainTasks()
    expect(await owed(scenario)).toEqual([{ status: 'pending', attempts: ['failed', 'failed'] }])
    expect(await count(scenario, 'order.payment_failed')).toBe(1)
    await pass(scenario, 'P8D')
    expect(await owed(scenario)).toEqual([{ status: 'canceled', attempts: ['failed', 'failed'] }])
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
    const emails = await db().emails.findMany({ where: { storefront_id: scenario.shop.storefrontId } })
    expect(emails.map(({ kind }) => kind).sort()).toEqual([
      'billing_updated',
      'canceled_for_nonpayment',
      ...Array(3).fill('payment_method_needed'),
      'receipt',
    ])
  })

  it.each([0, 1])(
    'a simulated retry and a charge of a concurrently added method pay the order only once (sequence %i)',
    async (first) => {
      const scenario = await subscriptionScenario()
      const failed = { paymentStatus: 'failed', failureReason: 'insufficient_funds' }
      await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', failed)
      await pass(scenario, untilFirstRetry)
      const order = (await ordersOf(scenario)).at(-1)
      const token = await billingToken(scenario)
      const asked = { key: scenario.key, body: { paymentStatus: 'paid' } }
      expect((await send(`POST /v1/test-helpers/orders/${order.id}/simulate-payment`, asked)).status).toBe(200)
      await makeHelpersDue()
      const racers = [() => runDueTasks(), () => chosen(token)]
      await race(scenario, first ? racers.reverse() : racers)
      await drainTasks()
      const paid = await db().payments.findMany({ where: { order_id: order.id, status: 'paid' } })
      expect(paid).toHaveLength(1)
      expect(await owed(scenario)).toEqual([
        { status: 'paid', attempts: paid[0]?.provider === 'sandbox' ? ['paid'] : [] },
      ])
    },
  )
})

describe('a new payment method at the end of a recovery', () => {
  it.each(both)(
    'if a new method is added at the end of a recovery, the order is either paid or written off (%s)',
    async (_, first) => {
      const scenario = await declinedRenewal('card_expired')
      await pass(scenario, 'P5D')
      await advanceWithoutTasks(scenario, { days: 2 })
      const token = await billingToken(scenario)
      const racers = [() => runDueTasks(), () => chooseMethod(token, 'paypal')]
      await race(scenario, first ? racers.reverse() : racers)
      await drainTasks()
      const [order] = await owed(scenario)
      const { status } = await subscriptionOf(scenario)
      expect([
        ['active', 'paid', ['failed', 'paid']],
        ['canceled', 'canceled', ['failed']],
      ]).toContainEqual([status, order?.status, order?.attempts])
    },
  )

  it.each(both)(
    'an order is charged to a new method at most once if the merchant concurrently cancels the subscription (%s)',
    async (_, first) => {
      const { scenario, token } = await retryIsDue()
      const end = () => send(`DELETE /v1/subscriptions/${scenario.id}?immediately=true`, { key: scenario.key })
      const racers = [() => runDueTasks(), () => chooseMethod(token, 'paypal'), end]
      await race(scenario, first ? racers.reverse() : racers)
      await drainTasks()
      expect(await subscriptionOf(scenario)).toMatchObject({
        status: 'canceled',
        cancellationReason: 'merchant_request',
      })
      const [order] = await owed(scenario)
      expect(['paid', 'canceled']).toContain(order?.status)
      expect(order?.attempts.filter((attempt) => attempt === 'paid')).toHaveLength(order?.status === 'paid' ? 1 : 0)
      await pass(scenario, 'P2M')
      expect(await booksOf(scenario)).toHaveLength(2)
    },
  )
})

describe('concurrent submissions of billing update forms', () => {
  it('six concurrent submissions of a billing update form charge the unpaid renewal once and store one new mandate', async () => {
    const scenario = await declinedRenewal('card_expired')
    const token = await billingToken(scenario)
    await race(
      scenario,
      Array(6).fill(() => chosen(token)),
      'billing_update_links',
    )
    await drainTasks()
    expect(await owed(scenario)).toEqual([{ status: 'paid', attempts: ['failed', 'paid'] }])
    expect(await count(scenario, 'subscription.billing_updated')).toBe(1)
    expect(await db().mandates.count({ where: { customer_id: scenario.customerId } })).toBe(2)
  })

  it('concurrent submissions of a billing update form with different payment methods charge the outstanding payment once', async () => {
    const scenario = await declinedRenewal('card_expired')
    const token = await billingToken(scenario)
    const methods = ['paypal', 'creditcard', 'ideal', 'directdebit']
    await race(
      scenario,
      methods.map((method) => () => chooseMethod(token, method)),
      'billing_update_links',
    )
    await chosenAtLast(token)
    await drainTasks()
    await pass(scenario, 'PT1H')
    const [order, ...more] = await owed(scenario)
    expect(more).toEqual([])
    expect(order).toEqual({ status: 'paid', attempts: ['failed', 'paid'] })
  })

  it('concurrent submissions of the billing update forms of two links charge the outstanding payment once', async () => {
    const scenario = await declinedRenewal('card_expired')
    const tokens = [await billingToken(scenario), await billingToken(scenario)]
    await race(
      scenario,
      tokens.map((token) => () => chooseMethod(token, 'paypal')),
    )
    await chosenAtLast(tokens[0] ?? '')
    await drainTasks()
    expect(await owed(scenario)).toEqual([{ status: 'paid', attempts: ['failed', 'paid'] }])
    expect((await booksOf(scenario))[0]).toEqual(sold)
  })
})

it('if the charge of a subscription change succeeds and the new charge of the renewal fails, the recovery continues and ends the subscription', async () => {
  const scenario = await declinedRenewal('authentication_failed')
  await declineMandate(scenario.id, null)
  const moreSeats = { quantity: 4, applyImmediately: true, invoiceImmediately: true }
  expect((await send(`PATCH /v1/subscriptions/${scenario.id}`, { key: scenario.key, body: moreSeats })).status).toBe(
    200,
  )
  await runOne(scenario, 'subscription.charge')
  await declineMandate(scenario.id, 'authentication_failed')

  await pass(scenario, 'P10D')

  expect((await ordersOf(scenario)).map(({ status }: { status: string }) => status)).toEqual([
    'paid',
    'canceled',
    'paid',
  ])
  expect((await subscriptionOf(scenario)).status).toBe('canceled')
})
