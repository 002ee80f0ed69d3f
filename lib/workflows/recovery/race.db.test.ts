import { afterEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
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
  ordersOf,
  pass,
  type Scenario,
  settle,
  subscriptionOf,
  subscriptionScenario,
  untilFirstRetry,
} from '../../testing/subscription-scenario.ts'
import { billingUpdatePage } from '../billing-update/hosted.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const byName = new Map(jobs.map((job) => [job.name, job]))

/** Runs the first due task of a type, and none that follow from it. */
async function runOne({ shop }: Scenario, name: string): Promise<void> {
  const [task] = await db().$queryRaw<{ taskId: string; claimVersion: number }[]>`
    UPDATE tasks SET claim_version = claim_version + 1, attempts = attempts + 1, leased_until = clock_timestamp() + interval '90 seconds'
    WHERE id = (SELECT id FROM tasks WHERE storefront_id = ${shop.storefrontId} AND name = ${name} ORDER BY due_at LIMIT 1)
    RETURNING id AS "taskId", claim_version AS "claimVersion"`
  if (!task) throw new Error(`no task ${name} waits`)
  expect(await runTask(byName, task)).toBe(true)
}

async function race(
  life: Scenario,
  racers: readonly (() => Promise<unknown>)[],
  table?: 'billing_update_links',
): Promise<void> {
  const { id } = table
    ? await db().billing_update_links.findFirstOrThrow({ where: { subscription_id: life.id }, orderBy: { id: 'desc' } })
    : life
  const ends = await raceBehind(lockOn(table ?? 'subscriptions', id), racers)
  expect(ends.map((end) => (end.status === 'fulfilled' ? 'fulfilled' : end.reason))).toEqual(
    racers.map(() => 'fulfilled'),
  )
}

/** The page accepted the new method: it leads back to the shop. */
async function chosen(token: string, method = 'paypal'): Promise<void> {
  expect(await chooseMethod(token, method)).toEqual({ redirectTo: 'https://shop.example/ok' })
}

/** The last form that was sent counts: it is sent again if it had no effect. */
async function chosenAtLast(token: string): Promise<void> {
  const page = await billingUpdatePage(token, { acceptLanguage: 'de', header: () => null })
  if (page?.state === 'open' && page.due) await chosen(token)
}

const sold = { status: 'paid', attempts: ['paid'] }
const owed = async (life: Scenario) => (await booksOf(life)).slice(1)
const count = async ({ shop }: Scenario, name: string) => (await eventsOf(shop)).filter((each) => each === name).length

/**
 * An account that was empty at the renewal; the retry of the second day is due. Returns the billing-update link, too.
 */
async function retryIsDue() {
  const life = await failNextRenewal(await subscriptionScenario(), 'insufficient_funds')
  await advanceWithoutTasks(life, { days: 2 })
  return { life, token: await billingToken(life) }
}

const both = [
  ['the retry first', 0],
  ['the new method first', 1],
] as const

describe('a new payment method and the retry of the schedule', () => {
  it.each(both)('at once, while the old one is declined: one payment, by the new one (%s)', async (_, first) => {
    const { life, token } = await retryIsDue()
    const racers = [() => runDueTasks(), () => chosen(token)]
    await race(life, first ? racers.reverse() : racers)
    await settle()
    const [order, ...more] = await owed(life)
    expect(more).toEqual([])
    expect(order).toMatchObject({ status: 'paid' })
    expect(order?.attempts.filter((attempt) => attempt === 'paid')).toHaveLength(1)
    expect(await count(life, 'order.payment_failed')).toBe(1)
  })

  it.each(both)('at once, while either would be paid: one of them is (%s)', async (_, first) => {
    const { life, token } = await retryIsDue()
    await declineMandate(life.id, null)
    const racers = [() => runDueTasks(), () => chosen(token)]
    await race(life, first ? racers.reverse() : racers)
    await settle()
    expect(await owed(life)).toEqual([{ status: 'paid', attempts: ['failed', 'paid'] }])
    expect(await subscriptionOf(life)).toMatchObject({ status: 'active', mandate: { method: 'paypal' } })
  })

  it('while the retry is pending and fails: the new one is charged then', async () => {
    const { life, token } = await retryIsDue()
    await runOne(life, 'recovery.step')
    await chosen(token)
    await settle()
    expect(await owed(life)).toEqual([{ status: 'paid', attempts: ['failed', 'failed', 'paid'] }])
  })

  it('while the retry is pending and is paid: the new one is not charged', async () => {
    const { life, token } = await retryIsDue()
    await declineMandate(life.id, null)
    await runOne(life, 'recovery.step')
    await chosen(token)
    await settle()
    expect(await owed(life)).toEqual([{ status: 'paid', attempts: ['failed', 'paid'] }])
  })

  it('while the last retry is pending and fails: the new one is charged, and nothing ends', async () => {
    const life = await failNextRenewal(await subscriptionScenario(), 'insufficient_funds')
    await pass(life, 'P14D')
    await advanceWithoutTasks(life, { days: 7 })
    await runOne(life, 'recovery.step')
    await chosen(await billingToken(life))
    await settle()
    expect(await owed(life)).toEqual([
      { status: 'paid', attempts: ['failed', 'failed', 'failed', 'failed', 'failed', 'paid'] },
    ])
    expect(await subscriptionOf(life)).toMatchObject({ status: 'active' })
  })

  it.each(['insufficient_funds', 'card_expired'] as const)(
    'while the first charge is pending and fails (%s): the new one is charged then',
    async (reason) => {
      const life = await subscriptionScenario()
      await declineMandate(life.id, reason)
      await advanceWithoutTasks(life, { months: 1, hours: 1 })
      await runOne(life, 'subscription.period_end')
      await chosen(await billingToken(life))
      await settle()
      expect(await owed(life)).toEqual([{ status: 'paid', attempts: ['failed', 'paid'] }])
      expect(await subscriptionOf(life)).toMatchObject({ status: 'active' })
    },
  )

  it('while the first charge is pending, and both fail: one recovery, to its end', async () => {
    const life = await subscriptionScenario()
    await declineMandate(life.id, 'card_expired')
    await advanceWithoutTasks(life, { months: 1, hours: 1 })
    await runOne(life, 'subscription.period_end')
    await chosen(await billingToken(life))
    await declineMandate(life.id, 'card_expired')
    await settle()
    expect(await owed(life)).toEqual([{ status: 'pending', attempts: ['failed', 'failed'] }])
    expect(await count(life, 'order.payment_failed')).toBe(1)
    await pass(life, 'P8D')
    expect(await owed(life)).toEqual([{ status: 'canceled', attempts: ['failed', 'failed'] }])
    expect(await subscriptionOf(life)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
    const mails = await db().emails.findMany({ where: { storefront_id: life.shop.storefrontId } })
    expect(mails).toHaveLength(4)
  })

  it.each([0, 1])('and the simulation of a retry, at once: one payment (order %i)', async (first) => {
    const life = await subscriptionScenario()
    const failed = { paymentStatus: 'failed', failureReason: 'insufficient_funds' }
    await ask(life, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', failed)
    await pass(life, untilFirstRetry)
    const order = (await ordersOf(life)).at(-1)
    const token = await billingToken(life)
    const asked = { key: life.key, body: { paymentStatus: 'paid' } }
    expect((await send(`POST /v1/test-helpers/orders/${order.id}/simulate-payment`, asked)).status).toBe(200)
    await makeHelpersDue()
    const racers = [() => runDueTasks(), () => chosen(token)]
    await race(life, first ? racers.reverse() : racers)
    await settle()
    const paid = await db().payments.findMany({ where: { order_id: order.id, status: 'paid' } })
    expect(paid).toHaveLength(1)
    expect(await owed(life)).toEqual([{ status: 'paid', attempts: paid[0]?.provider === 'sandbox' ? ['paid'] : [] }])
  })
})

describe('a new payment method and the end of a recovery', () => {
  it.each(both)('at once: the order is paid or written off, and never both (%s)', async (_, first) => {
    const life = await failNextRenewal(await subscriptionScenario(), 'card_expired')
    await pass(life, 'P5D')
    await advanceWithoutTasks(life, { days: 2 })
    const token = await billingToken(life)
    const racers = [() => runDueTasks(), () => chooseMethod(token, 'paypal')]
    await race(life, first ? racers.reverse() : racers)
    await settle()
    const [order] = await owed(life)
    const { status } = await subscriptionOf(life)
    expect([
      ['active', 'paid', ['failed', 'paid']],
      ['canceled', 'canceled', ['failed']],
    ]).toContainEqual([status, order?.status, order?.attempts])
  })

  it.each(both)('by the merchant, at once: charged once at most (%s)', async (_, first) => {
    const { life, token } = await retryIsDue()
    const end = () => send(`DELETE /v1/subscriptions/${life.id}?immediately=true`, { key: life.key })
    const racers = [() => runDueTasks(), () => chooseMethod(token, 'paypal'), end]
    await race(life, first ? racers.reverse() : racers)
    await settle()
    expect(await subscriptionOf(life)).toMatchObject({ status: 'canceled', cancellationReason: 'merchant_request' })
    const [order] = await owed(life)
    expect(['paid', 'canceled']).toContain(order?.status)
    expect(order?.attempts.filter((attempt) => attempt === 'paid')).toHaveLength(order?.status === 'paid' ? 1 : 0)
    await pass(life, 'P2M')
    expect(await booksOf(life)).toHaveLength(2)
  })
})

describe('a billing-update form', () => {
  it('that is sent many times at once counts once', async () => {
    const life = await failNextRenewal(await subscriptionScenario(), 'card_expired')
    const token = await billingToken(life)
    await race(
      life,
      Array(6).fill(() => chosen(token)),
      'billing_update_links',
    )
    await settle()
    expect(await owed(life)).toEqual([{ status: 'paid', attempts: ['failed', 'paid'] }])
    expect(await count(life, 'subscription.billing_updated')).toBe(1)
    expect(await db().mandates.count({ where: { customer_id: life.customerId } })).toBe(2)
  })

  it('with another method in each tab, at once, charges the outstanding payment once', async () => {
    const life = await failNextRenewal(await subscriptionScenario(), 'card_expired')
    const token = await billingToken(life)
    const methods = ['paypal', 'creditcard', 'ideal', 'directdebit']
    await race(
      life,
      methods.map((method) => () => chooseMethod(token, method)),
      'billing_update_links',
    )
    // A tab with a method that was replaced by another one is back at the form.
    await chosenAtLast(token)
    await settle()
    await pass(life, 'PT1H')
    const [order, ...more] = await owed(life)
    expect(more).toEqual([])
    expect(order).toEqual({ status: 'paid', attempts: ['failed', 'paid'] })
  })

  it('of two links, at once, charges the outstanding payment once', async () => {
    const life = await failNextRenewal(await subscriptionScenario(), 'card_expired')
    const tokens = [await billingToken(life), await billingToken(life)]
    await race(
      life,
      tokens.map((token) => () => chooseMethod(token, 'paypal')),
    )
    await chosenAtLast(tokens[0] ?? '')
    await settle()
    expect(await owed(life)).toEqual([{ status: 'paid', attempts: ['failed', 'paid'] }])
    expect((await booksOf(life))[0]).toEqual(sold)
  })
})
