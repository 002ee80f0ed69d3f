import { afterAll, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { eventsOf, runDueTasks } from '../../testing/shop.ts'
import {
  clockTo,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const failed = { paymentStatus: 'failed', failureReason: 'insufficient_funds' }

async function ask({ key }: Scenario, line: string, body: object): Promise<void> {
  expect((await send(line, { key, body })).status).toBe(200)
  expect(await db().tasks.count({ where: { name: { startsWith: 'testmode.' }, run_at: { gt: new Date() } } })).toBe(1)
}

const statuses = async (scenario: Scenario) =>
  (await ordersOf(scenario)).map((order: { status: string }) => order.status)

describe('an advance immediately after a call of a test helper', () => {
  it('a clock advance applies a simulated payment outcome before the payment settles', async () => {
    const scenario = await subscriptionScenario({ buyer: { paymentMethod: 'ideal' } })
    await clockTo(scenario.key, (await subscriptionOf(scenario)).nextRenewalAt)
    const [, order] = await ordersOf(scenario)
    expect(order.status).toBe('pending')
    await ask(scenario, `POST /v1/test-helpers/orders/${order.id}/simulate-payment`, failed)
    await pass(scenario, 'PT1H')
    expect(await statuses(scenario)).toEqual(['paid', 'pending'])
    expect(await eventsOf(scenario.shop)).toContain('order.payment_failed')
  })

  it('if a fast-forward of a renewal is requested before a clock advance, the order has the time at which the advance starts', async () => {
    const scenario = await subscriptionScenario()
    await ask(scenario, `POST /v1/test-helpers/subscriptions/${scenario.id}/fast-forward-renewal`, failed)
    await pass(scenario, 'P32D')
    const [, order] = await ordersOf(scenario)
    expect(order).toMatchObject({ createdAt: expect.stringMatching(/^2027-01-01T/) })
    expect(await eventsOf(scenario.shop)).toContain('order.payment_failed')
  })

  it('a simulated payment outcome waits until the charge has reached the provider', async () => {
    const scenario = await subscriptionScenario({ buyer: { paymentMethod: 'ideal' } })
    await clockTo(scenario.key, (await subscriptionOf(scenario)).nextRenewalAt)
    const [, order] = await ordersOf(scenario)
    const where = { order_id: order.id }
    const { provider_ref, status } = await db().payments.findFirstOrThrow({ where })
    await db().payments.updateMany({ where, data: { provider_ref: null, status: 'created' } })
    await ask(scenario, `POST /v1/test-helpers/orders/${order.id}/simulate-payment`, failed)
    const reply = await send('POST /v1/test-helpers/clock/advance', { key: scenario.key, body: { by: 'PT1S' } })
    expect(reply.body.remaining).toBe(1)

    const waiting = () => db().tasks.findFirstOrThrow({ where: { name: 'testmode.simulate' } })
    const { due_at, clock } = await waiting()
    expect(clock).toBe('storefront')
    expect(due_at.getTime()).toBeGreaterThanOrEqual(new Date('2027-02-01T00:00:00Z').getTime())
    const before = Date.now()
    await runDueTasks()
    expect((await waiting()).run_at.getTime()).toBeGreaterThan(before)
    await db().payments.updateMany({ where, data: { provider_ref, status } })
    await db().tasks.updateMany({ where: { name: 'testmode.simulate' }, data: { run_at: new Date() } })
    await runDueTasks()
    expect(await eventsOf(scenario.shop)).toContain('order.payment_failed')
  })
})
