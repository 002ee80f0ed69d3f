import { afterEach, expect, it, test } from 'vitest'
import { send } from '../../lib/testing/api.ts'
import { brokenInvariants } from '../../lib/testing/invariants.ts'
import { billingToken, chooseMethod } from '../../lib/testing/scenarios.ts'
import { aShop } from '../../lib/testing/shop.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../lib/testing/subscription-scenario.ts'
import { declineMandate } from '../../lib/workflows/test-helpers/mandates.ts'

/** The payment behavior of a subscription in test mode: bought on 1 January 2027 for 100.00 a month. */

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const behave = (scenario: Scenario, body: object) =>
  ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/payment-behavior', body)
const statusesOf = async (scenario: Scenario) =>
  (await ordersOf(scenario)).map(({ status }: { status: string }) => status)

test('every charge fails by the schedule until the behavior is changed', async () => {
  const scenario = await subscriptionScenario()
  const reply = await behave(scenario, { outcome: 'failed', failureReason: 'insufficient_funds' })
  expect(reply).toMatchObject({ status: 200 })
  expect(reply.body).toEqual({ outcome: 'failed', failureReason: 'insufficient_funds', times: null })
  await pass(scenario, 'P1M')
  await pass(scenario, 'P7D')
  expect((await subscriptionOf(scenario)).recovery).toMatchObject({
    failureReason: 'insufficient_funds',
    failedAt: expect.stringMatching(/^2027-02-08/),
  })
  expect((await behave(scenario, { outcome: 'paid' })).body).toEqual({
    outcome: 'paid',
    failureReason: null,
    times: null,
  })
  await pass(scenario, 'P7D')
  expect(await statusesOf(scenario)).toEqual(['paid', 'paid'])
  expect((await subscriptionOf(scenario)).recovery).toBeNull()
})

test.each(['creditcard', 'ideal'])(
  'times counts the charges by %s that fail, and the next one is paid',
  async (method) => {
    const scenario = await subscriptionScenario({ buyer: { paymentMethod: method } })
    await behave(scenario, { outcome: 'failed', times: 2 })
    await pass(scenario, 'P1M')
    await pass(scenario, 'P2D')
    const { recovery } = await subscriptionOf(scenario)
    expect(recovery).toMatchObject({ failureReason: 'general_failure', failedAt: expect.stringMatching(/^2027-02-03/) })
    await pass(scenario, 'P5DT1H')
    expect(await statusesOf(scenario)).toEqual(['paid', 'paid'])
    await pass(scenario, 'P1M')
    expect(await statusesOf(scenario)).toEqual(['paid', 'paid', 'paid'])
  },
)

it('counts charges that run at the same time once each', async () => {
  const scenario = await subscriptionScenario({ plan: { interval: 'day' } })
  await behave(scenario, { outcome: 'failed', times: 1, failureReason: 'card_expired' })
  await pass(scenario, 'P1D')
  expect(await statusesOf(scenario)).toEqual(['paid', 'pending'])
  const change = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
  await ask(scenario, 'PATCH /v1/subscriptions/{id}', change)
  expect((await statusesOf(scenario)).at(-1)).toBe('paid')
})

it('replaces an earlier behavior, also one of the command line', async () => {
  const scenario = await subscriptionScenario()
  await declineMandate(scenario.id, 'card_expired')
  await behave(scenario, { outcome: 'failed', failureReason: 'temporary_decline', times: 1 })
  await declineMandate(scenario.id, 'fraud_suspected')
  await behave(scenario, { outcome: 'failed', failureReason: 'account_closed', times: 1 })
  await pass(scenario, 'P1M')
  expect((await subscriptionOf(scenario)).recovery).toMatchObject({ failureReason: 'account_closed' })
})

it('does not apply to a payment method that the customer adds', async () => {
  const scenario = await subscriptionScenario()
  await behave(scenario, { outcome: 'failed', failureReason: 'card_expired' })
  await pass(scenario, 'P1M')
  await chooseMethod(await billingToken(scenario), 'paypal')
  await drainTasks()
  expect((await subscriptionOf(scenario)).recovery).toBeNull()
})

it('is the same after a repetition with the same idempotency key', async () => {
  const scenario = await subscriptionScenario()
  const request = () =>
    send(`POST /v1/test-helpers/subscriptions/${scenario.id}/payment-behavior`, {
      key: scenario.key,
      headers: { 'Idempotency-Key': 'once' },
      body: { outcome: 'failed', times: 1 },
    })
  const first = await request()
  await pass(scenario, 'P1M')
  expect((await request()).body).toEqual(first.body)
  await pass(scenario, 'P2D')
  expect(await statusesOf(scenario)).toEqual(['paid', 'paid'])
})

it.each([
  [{}, 'outcome'],
  [{ outcome: 'pending' }, 'outcome'],
  [{ outcome: 'failed', failureReason: 'bad_luck' }, 'failureReason'],
  [{ outcome: 'failed', times: 0 }, 'times'],
  [{ outcome: 'failed', times: 101 }, 'times'],
  [{ outcome: 'failed', times: 1.5 }, 'times'],
  [{ outcome: 'paid', times: 1 }, 'times'],
  [{ outcome: 'paid', failureReason: 'card_expired' }, 'failureReason'],
])('refuses %j on %s', async (body, field) => {
  const scenario = await subscriptionScenario()
  expect(await behave(scenario, body)).toMatchObject({
    status: 422,
    body: { errors: { [field]: [expect.any(String)] } },
  })
})

it('belongs to its storefront and needs a key of test mode', async () => {
  const scenario = await subscriptionScenario()
  const other = await aShop({ at: '2027-01-01T00:00:00Z' })
  const line = `POST /v1/test-helpers/subscriptions/${scenario.id}/payment-behavior`
  const body = { outcome: 'failed' }
  expect((await send(line, { key: other.testKey, body })).status).toBe(404)
  expect((await send(line, { key: scenario.shop.liveKey, body })).body.code).toBe('test_mode_only')
})
