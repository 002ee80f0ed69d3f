import { afterAll, describe, expect, it } from 'vitest'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { eventsOf } from '../../testing/shop.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

async function atOnce(scenario: Scenario, line: string, bodies: readonly object[], headers = {}): Promise<number[]> {
  const ends = await raceBehind(
    lockOn('subscriptions', scenario.id),
    bodies.map((body) => () => send(line, { key: scenario.key, body, headers })),
  )
  return ends.map((end) => (end.status === 'fulfilled' ? end.value.status : Number.NaN)).sort()
}

const statuses = async (scenario: Scenario) =>
  (await ordersOf(scenario)).map((order: { status: string }) => order.status)

const fastForward = ({ id }: Scenario) => `POST /v1/test-helpers/subscriptions/${id}/fast-forward-renewal`
const simulate = (orderId: string) => `POST /v1/test-helpers/orders/${orderId}/simulate-payment`
const paid = { paymentStatus: 'paid' }
const failed = { paymentStatus: 'failed', failureReason: 'card_expired' }

describe('concurrent calls of a test helper', () => {
  it('concurrent fast-forwards renew the subscription once', async () => {
    const scenario = await subscriptionScenario()
    expect(await atOnce(scenario, fastForward(scenario), [paid, failed, paid, {}])).toEqual([200, 409, 409, 409])
    await drainTasks()
    expect(await ordersOf(scenario)).toHaveLength(2)
    expect((await eventsOf(scenario.shop)).filter((name) => name === 'subscription.updated')).toHaveLength(1)
  })

  it('after a fast-forward is complete, another fast-forward renews the subscription again', async () => {
    const scenario = await subscriptionScenario()
    await ask(scenario, fastForward(scenario), paid)
    expect(await atOnce(scenario, fastForward(scenario), [paid, paid])).toEqual([200, 409])
    await drainTasks()
    expect(await statuses(scenario)).toEqual(['paid', 'paid', 'paid'])
  })

  it('concurrent simulations of a payment have one outcome', async () => {
    const scenario = await subscriptionScenario()
    await ask(scenario, fastForward(scenario), {})
    const [, order] = await ordersOf(scenario)
    expect(await atOnce(scenario, simulate(order.id), [paid, failed, paid, failed])).toEqual([200, 409, 409, 409])
    await drainTasks()
    const events = (await eventsOf(scenario.shop)).slice(3)
    expect([
      ['subscription.updated', 'order.paid'],
      ['subscription.updated', 'order.payment_failed'],
    ]).toContainEqual(events)
  })

  it('if a simulated payment and the end of the subscription run at the same time, the order gets one outcome', async () => {
    for (let round = 0; round < 4; round++) {
      const scenario = await subscriptionScenario()
      await ask(scenario, fastForward(scenario), {})
      const [, order] = await ordersOf(scenario)
      const simulation = () => send(simulate(order.id), { key: scenario.key, body: paid })
      const end = () => send(`DELETE /v1/subscriptions/${scenario.id}?immediately=true`, { key: scenario.key })
      const racers = [simulation, end]
      const ends = await raceBehind(lockOn('subscriptions', scenario.id), round % 2 ? racers.reverse() : racers)
      const replies = ends.map((end) => (end.status === 'fulfilled' ? end.value.status : end.reason))
      expect(replies).toContain(204)
      expect([200, 204, 422]).toEqual(expect.arrayContaining(replies))
      await drainTasks()
      expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled' })
      // The end of the subscription cancels the payment, because no provider knows the payment.
      expect(await statuses(scenario)).toEqual(['paid', 'canceled'])
    }
  })
})
