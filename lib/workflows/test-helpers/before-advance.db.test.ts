import { afterEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { eventsOf } from '../../testing/shop.ts'
import {
  clockTo,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'

/** A helper acts two seconds after its answer; the clock is advanced before that. */

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const failed = { paymentStatus: 'failed', failureReason: 'insufficient_funds' }

async function ask({ key }: Scenario, line: string, body: object): Promise<void> {
  expect((await send(line, { key, body })).status).toBe(200)
  expect(await db().tasks.count({ where: { name: { startsWith: 'testmode.' }, run_at: { gt: new Date() } } })).toBe(1)
}

const statuses = async (scenario: Scenario) =>
  (await ordersOf(scenario)).map((order: { status: string }) => order.status)

describe('an advance that follows a helper at once', () => {
  it('begins with the outcome that was simulated: the payment does not settle before it', async () => {
    const scenario = await subscriptionScenario({ buyer: { paymentMethod: 'ideal' } })
    await clockTo(scenario.key, (await subscriptionOf(scenario)).nextRenewalAt)
    const [, order] = await ordersOf(scenario)
    expect(order.status).toBe('pending')
    await ask(scenario, `POST /v1/test-helpers/orders/${order.id}/simulate-payment`, failed)
    await pass(scenario, 'PT1H')
    expect(await statuses(scenario)).toEqual(['paid', 'pending'])
    expect(await eventsOf(scenario.shop)).toContain('order.payment_failed')
  })

  it('begins with the renewal that was asked for early: the period is not billed by the clock before it', async () => {
    const scenario = await subscriptionScenario()
    await ask(scenario, `POST /v1/test-helpers/subscriptions/${scenario.id}/fast-forward-renewal`, failed)
    await pass(scenario, 'P32D')
    const [, order] = await ordersOf(scenario)
    expect(order).toMatchObject({ createdAt: expect.stringMatching(/^2027-01-01T/) })
    expect(await eventsOf(scenario.shop)).toContain('order.payment_failed')
  })
})
