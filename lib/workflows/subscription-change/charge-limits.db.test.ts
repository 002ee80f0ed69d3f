import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { registry } from '../../providers/registry.ts'
import { price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { ask, ordersOf, pass, subscriptionOf, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { aboutUnits, aPurchase, declare } from '../../testing/withdrawal.ts'

afterEach(async () => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

function chargesAtLeast50Cents(): void {
  const provider = { ...registry.ofNewPayments.test, leastCharge: () => 50n } as PaymentProvider
  vi.spyOn(registry, 'providers', 'get').mockReturnValue([provider])
}

async function aSubscription(more: object = {}) {
  const scenario = await subscriptionScenario({ plan: { basePrice: price('10.00') }, ...more })
  chargesAtLeast50Cents()
  return scenario
}

const change = (scenario: Awaited<ReturnType<typeof aSubscription>>, body: object) =>
  ask(scenario, 'PATCH /v1/subscriptions/{id}', body)

describe('a change outside the provider’s charge limits', () => {
  test.each([true, false])(
    'a change that starts a new period is refused if its charge is below the minimum charge (invoiceImmediately %s)',
    async (invoiceImmediately) => {
      const scenario = await aSubscription()
      await pass(scenario, 'PT30M')
      const before = await subscriptionOf(scenario)
      const restart = { quantity: 1, resetAnchor: true, applyImmediately: true, invoiceImmediately }
      const { status, body } = await change(scenario, restart)
      expect([status, body.errors]).toEqual([422, { applyImmediately: [expect.stringContaining('0.50 EUR')] }])
      expect(await subscriptionOf(scenario)).toEqual(before)
      await pass(scenario, 'P2D')
      expect((await change(scenario, restart)).status).toBe(200)
      expect((await ordersOf(scenario)).map((order: { status: string }) => order.status)).toEqual(['paid', 'paid'])
    },
  )

  test.each([
    ['price.value', { price: price('0.24') }],
    ['price.value', { price: price('0.24'), applyImmediately: true, prorate: false }],
    ['quantity', { quantity: 1 }],
    ['quantity', { quantity: 1, applyImmediately: true, prorate: false }],
  ])(
    'a change to a price below the minimum charge is refused with an error on the field %s: %j',
    async (field, body) => {
      const scenario = await aSubscription({ plan: { basePrice: price('0.30') }, item: { quantity: 2 } })
      const before = await subscriptionOf(scenario)
      const reply = await change(scenario, body)
      expect([reply.status, reply.body.errors]).toEqual([422, { [field]: [expect.stringContaining('0.50 EUR')] }])
      expect(await subscriptionOf(scenario)).toEqual(before)
    },
  )

  test('a change to a price of 0.00 or of exactly the minimum charge is accepted', async () => {
    const scenario = await aSubscription()
    for (const value of ['0.00', '0.50']) expect((await change(scenario, { price: price(value) })).status).toBe(200)
  })
})

test('a subscription ends after the paid period if a withdrawal leaves too few units for the minimum charge', async () => {
  const bought = await aPurchase({}, { plan: { basePrice: price('0.30') }, item: { quantity: 3 } })
  chargesAtLeast50Cents()
  await declare(bought.token, aboutUnits([[0, '1', 3]]))
  expect(await subscriptionOf(bought)).toMatchObject({ status: 'active', quantity: 2 })
  await declare(bought.token, aboutUnits([[0, '1', 2]]))
  expect(await subscriptionOf(bought)).toMatchObject({ status: 'on_grace_period', quantity: 1 })
})

test('a subscription ends after the paid period if a withdrawal after a price change leaves too few units for the minimum charge', async () => {
  const bought = await aPurchase({}, { plan: { basePrice: price('10.00') }, item: { quantity: 3 } })
  chargesAtLeast50Cents()
  expect((await change(bought, { price: price('0.20') })).status).toBe(200)
  await declare(bought.token, aboutUnits([[0, '1', 3]]))
  expect(await subscriptionOf(bought)).toMatchObject({ status: 'on_grace_period', quantity: 2 })
})
