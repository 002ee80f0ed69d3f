import { afterAll, describe, expect, it } from 'vitest'
import { parseDuration } from '../../kernel/calendar.ts'
import { db } from '../../platform/db/db.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { returnedDebit, statusesOf } from '../../testing/owed-sale.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks, booksOf, failNextRenewal } from '../../testing/scenarios.ts'
import { eventsOf, runDueTasks } from '../../testing/shop.ts'
import {
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
  untilFirstRetry,
} from '../../testing/subscription-scenario.ts'
import { declineMandate } from '../test-helpers/mandates.ts'
import { retryNow, sendLinkAgain, writeOff } from './by-merchant.ts'

afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const tenantOf = ({ shop }: Pick<Scenario, 'shop'>) => ({ storefrontId: shop.storefrontId, testmode: true })
const orderOf = async (scenario: Scenario): Promise<string> => (await ordersOf(scenario)).at(-1).id
const owed = async (scenario: Scenario) => (await booksOf(scenario)).at(-1)
const recoveryOf = (orderId: string) => db().recoveries.findUniqueOrThrow({ where: { order_id: orderId } })
const emails = (
  { shop }: Pick<Scenario, 'shop'>,
  kind: 'payment_failed' | 'purchase_unpaid' | 'canceled_for_nonpayment',
) => db().emails.count({ where: { storefront_id: shop.storefrontId, kind } })

async function emptyAccount(reason: 'insufficient_funds' | 'card_expired' = 'insufficient_funds') {
  const scenario = await failNextRenewal(await subscriptionScenario(), reason)
  return { scenario, orderId: await orderOf(scenario), tenant: tenantOf(scenario) }
}

describe('a retry by a merchant', () => {
  it('a merchant’s retry pays the order and ends the recovery', async () => {
    const { scenario, orderId, tenant } = await emptyAccount()
    await declineMandate(scenario.id, null)
    await retryNow(tenant, orderId)
    await drainTasks()
    expect(await owed(scenario)).toEqual({ status: 'paid', attempts: ['failed', 'paid'] })
    await expect(retryNow(tenant, orderId)).rejects.toMatchObject({ code: 'order_not_in_recovery' })
    await pass(scenario, 'P22D')
    expect(await owed(scenario)).toEqual({ status: 'paid', attempts: ['failed', 'paid'] })
  })

  it('a merchant’s failed retry does not change the schedule of the recovery', async () => {
    const { scenario, orderId, tenant } = await emptyAccount()
    const { next_step_at, steps_done } = await recoveryOf(orderId)
    await retryNow(tenant, orderId)
    await drainTasks()
    expect(await owed(scenario)).toEqual({ status: 'pending', attempts: ['failed', 'failed'] })
    expect(await recoveryOf(orderId)).toMatchObject({ next_step_at, steps_done, status: 'open' })
    await pass(scenario, 'P21D')
    expect(await owed(scenario)).toEqual({ status: 'canceled', attempts: Array(6).fill('failed') })
    expect((await eventsOf(scenario.shop)).filter((name) => name === 'order.payment_failed')).toHaveLength(1)
  })

  it('a merchant’s retry is refused during another attempt, and after three attempts in an hour', async () => {
    const { scenario, orderId, tenant } = await emptyAccount()
    await advanceWithoutTasks(scenario, { hours: 2 })
    for (const _ of [1, 2, 3]) {
      await retryNow(tenant, orderId)
      await expect(retryNow(tenant, orderId)).rejects.toMatchObject({ code: 'already_in_flight' })
      await drainTasks()
    }
    await expect(retryNow(tenant, orderId)).rejects.toMatchObject({ code: 'too_many_charges' })
  })

  it('a merchant’s retry is refused for a permanently declined method and for an order of the other mode', async () => {
    const { orderId, tenant } = await emptyAccount('card_expired')
    await expect(retryNow(tenant, orderId)).rejects.toMatchObject({ code: 'illegal_move' })
    const other = { ...tenant, testmode: false }
    await expect(retryNow(other, orderId)).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each([
    ['the scheduled retry first', 0],
    ['the merchant first', 1],
  ] as const)('a merchant’s retry and a scheduled retry at the same time make one attempt (%s)', async (_, first) => {
    const { scenario, orderId, tenant } = await emptyAccount()
    await advanceWithoutTasks(scenario, parseDuration(untilFirstRetry) ?? {})
    const racers: (() => Promise<unknown>)[] = [() => runDueTasks(), () => retryNow(tenant, orderId)]
    await raceBehind(
      lockOn('subscriptions', scenario.id),
      first ? racers.reverse() : racers,
      racers.length,
      async () => undefined,
      { inTurn: true },
    )
    await drainTasks()
    expect(await owed(scenario)).toEqual({ status: 'pending', attempts: ['failed', 'failed'] })
    expect(await recoveryOf(orderId)).toMatchObject({ steps_done: 2, status: 'open' })
  })

  it('concurrent retries by two members make one attempt', async () => {
    const { scenario, orderId, tenant } = await emptyAccount()
    const ends = await raceBehind(lockOn('subscriptions', scenario.id), [
      () => retryNow(tenant, orderId),
      () => retryNow(tenant, orderId),
    ])
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await drainTasks()
    expect(await owed(scenario)).toEqual({ status: 'pending', attempts: ['failed', 'failed'] })
  })
})

describe('the email with the payment link', () => {
  it('sending the email with the payment link again has no effect on the recovery', async () => {
    const { scenario, orderId, tenant } = await emptyAccount()
    const before = await recoveryOf(orderId)
    expect(await emails(scenario, 'payment_failed')).toBe(1)
    expect(await sendLinkAgain(tenant, orderId)).toBe('sent')
    expect(await emails(scenario, 'payment_failed')).toBe(2)
    expect(await recoveryOf(orderId)).toEqual(before)
  })

  it('the email with the payment link can be sent again three times per day', async () => {
    const { scenario, orderId, tenant } = await emptyAccount()
    for (const _ of [1, 2, 3]) expect(await sendLinkAgain(tenant, orderId)).toBe('sent')
    expect(await sendLinkAgain(tenant, orderId)).toBe('limit_reached')
    expect(await emails(scenario, 'payment_failed')).toBe(4)
    await pass(scenario, 'P1DT1H')
    expect(await sendLinkAgain(tenant, orderId)).toBe('sent')
  })

  it('the email with the payment link is sent to the buyer of a purchase whose direct debit was returned', async () => {
    const sale = await returnedDebit()
    const before = await emails(sale, 'purchase_unpaid')
    expect(await sendLinkAgain(tenantOf(sale), sale.orderId)).toBe('sent')
    expect(await emails(sale, 'purchase_unpaid')).toBe(before + 1)
    await expect(retryNow(tenantOf(sale), sale.orderId)).rejects.toMatchObject({ code: 'illegal_move' })
  })
})

describe('a write-off by a merchant', () => {
  it('writing off a renewal ends the subscription for nonpayment, like the scheduled write-off', async () => {
    const { scenario, orderId, tenant } = await emptyAccount()
    await writeOff(tenant, orderId)
    await drainTasks()
    expect(await owed(scenario)).toEqual({ status: 'canceled', attempts: ['failed'] })
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
    const events = await eventsOf(scenario.shop)
    expect(events).toContain('order.canceled')
    expect(events).toContain('subscription.canceled_for_nonpayment')
    expect(await emails(scenario, 'canceled_for_nonpayment')).toBe(1)
    await expect(writeOff(tenant, orderId)).rejects.toMatchObject({ code: 'order_not_in_recovery' })
  })

  it('writing off a purchase with a returned debit creates a credit note', async () => {
    const sale = await returnedDebit()
    await writeOff(tenantOf(sale), sale.orderId)
    await drainTasks()
    expect((await statusesOf(sale)).toSorted()).toEqual(['canceled', 'paid'])
  })

  it('after a merchant’s concurrent retry and write-off, the order is either paid or canceled', async () => {
    const { scenario, orderId, tenant } = await emptyAccount()
    await declineMandate(scenario.id, null)
    const ends = await raceBehind(lockOn('subscriptions', scenario.id), [
      () => retryNow(tenant, orderId),
      () => writeOff(tenant, orderId),
    ])
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    await drainTasks()
    expect([
      { status: 'paid', attempts: ['failed', 'paid'] },
      { status: 'canceled', attempts: ['failed'] },
    ]).toContainEqual(await owed(scenario))
  })
})
