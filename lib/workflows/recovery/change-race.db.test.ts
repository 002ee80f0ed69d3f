import { afterAll, describe, expect, it } from 'vitest'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { billingToken, booksOf, chooseMethod } from '../../testing/scenarios.ts'
import { eventsOf } from '../../testing/shop.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

async function owedChange() {
  const scenario = await subscriptionScenario()
  await declineMandate(scenario.id, 'card_expired')
  const change = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', change)).status).toBe(200)
  await drainTasks()
  const order = (await ordersOf(scenario)).at(-1)
  expect(order).toMatchObject({ status: 'pending' })
  return { scenario, orderId: order.id as string }
}

const endRecovery = ({ key }: Scenario, orderId: string) => send(`DELETE /v1/orders/${orderId}/recovery`, { key })

async function race(scenario: Scenario, racers: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const ends = await raceBehind(lockOn('subscriptions', scenario.id), racers)
  return ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason))
}

const [paid, unpaid] = [
  { status: 'paid', attempts: ['paid'] },
  { status: 'canceled', attempts: ['failed'] },
]
const orders = [
  ['the merchant first', 0],
  ['the merchant second', 1],
] as const

describe('the end of the recovery of a change', () => {
  it('concurrent requests to end the recovery of a change end the recovery once', async () => {
    const { scenario, orderId } = await owedChange()
    const replies = await race(
      scenario,
      Array(5).fill(() => endRecovery(scenario, orderId)),
    )
    const statuses = replies.map((reply) => (reply as { status: number }).status).sort()
    expect(statuses).toEqual([204, 422, 422, 422, 422])
    expect(await booksOf(scenario)).toEqual([paid, unpaid])
    expect((await eventsOf(scenario.shop)).filter((name) => name === 'order.canceled')).toHaveLength(1)
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active', quantity: 1 })
  })

  it.each(orders)(
    'a change is either paid or undone if a new method is chosen at the end of its recovery (%s)',
    async (_, first) => {
      const { scenario, orderId } = await owedChange()
      const token = await billingToken(scenario)
      const racers = [() => endRecovery(scenario, orderId), () => chooseMethod(token, 'paypal')]
      await race(scenario, first ? racers.reverse() : racers)
      await drainTasks()
      const [, change] = await booksOf(scenario)
      const isPaid = change?.status === 'paid'
      expect(change).toEqual(isPaid ? { status: 'paid', attempts: ['failed', 'paid'] } : unpaid)
      expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active', quantity: isPaid ? 2 : 1 })
    },
  )

  it.each(orders)(
    'the order of a change is canceled once if a merchant concurrently reverses the change (%s)',
    async (_, first) => {
      const { scenario, orderId } = await owedChange()
      const back = { quantity: 1, applyImmediately: true, invoiceImmediately: true }
      const racers = [() => endRecovery(scenario, orderId), () => ask(scenario, 'PATCH /v1/subscriptions/{id}', back)]
      await race(scenario, first ? racers.reverse() : racers)
      await drainTasks()
      expect(await booksOf(scenario)).toEqual([paid, unpaid])
      expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active', quantity: 1 })
    },
  )

  it.each(orders)(
    'the order of a change is canceled once if the subscription is canceled concurrently (%s)',
    async (_, first) => {
      const { scenario, orderId } = await owedChange()
      const racers = [
        () => endRecovery(scenario, orderId),
        () => ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true'),
      ]
      await race(scenario, first ? racers.reverse() : racers)
      await drainTasks()
      expect(await booksOf(scenario)).toEqual([paid, unpaid])
      expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled' })
    },
  )
})
