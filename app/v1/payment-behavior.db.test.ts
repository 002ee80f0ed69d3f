import { afterAll, expect, it, test } from 'vitest'
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

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const behave = (scenario: Scenario, body: object) =>
  ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/payment-behavior', body)
const statusesOf = async (scenario: Scenario) =>
  (await ordersOf(scenario)).map(({ status }: { status: string }) => status)

test('a payment behavior can make every charge and scheduled retry fail until the behavior is changed', async () => {
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
  'the field `times` of a payment behavior is the number of charges by %s that fail before a charge is paid',
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

it('a payment behavior with `times: 1` makes one renewal fail, and a later charge for a subscription change is paid', async () => {
  const scenario = await subscriptionScenario({ plan: { interval: 'day' } })
  await behave(scenario, { outcome: 'failed', times: 1, failureReason: 'card_expired' })
  await pass(scenario, 'P1D')
  expect(await statusesOf(scenario)).toEqual(['paid', 'pending'])
  const change = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
  await ask(scenario, 'PATCH /v1/subscriptions/{id}', change)
  expect((await statusesOf(scenario)).at(-1)).toBe('paid')
})

it('a new payment behavior replaces an earlier behavior from the API or the command line', async () => {
  const scenario = await subscriptionScenario()
  await declineMandate(scenario.id, 'card_expired')
  await behave(scenario, { outcome: 'failed', failureReason: 'temporary_decline', times: 1 })
  await declineMandate(scenario.id, 'fraud_suspected')
  await behave(scenario, { outcome: 'failed', failureReason: 'account_closed', times: 1 })
  await pass(scenario, 'P1M')
  expect((await subscriptionOf(scenario)).recovery).toMatchObject({ failureReason: 'account_closed' })
})

it('a payment behavior does not apply to a payment method that the customer adds later', async () => {
  const scenario = await subscriptionScenario()
  await behave(scenario, { outcome: 'failed', failureReason: 'card_expired' })
  await pass(scenario, 'P1M')
  await chooseMethod(await billingToken(scenario), 'paypal')
  await drainTasks()
  expect((await subscriptionOf(scenario)).recovery).toBeNull()
})

it('repeating a request with its idempotency key does not set a payment behavior again', async () => {
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
])('the payment behavior %j is refused with an error on the field %s', async (body, field) => {
  const scenario = await subscriptionScenario()
  expect(await behave(scenario, body)).toMatchObject({
    status: 422,
    body: { errors: { [field]: [expect.any(String)] } },
  })
})

it('a payment behavior can be set only with a test key of the same storefront', async () => {
  const scenario = await subscriptionScenario()
  const other = await aShop({ at: '2027-01-01T00:00:00Z' })
  const line = `POST /v1/test-helpers/subscriptions/${scenario.id}/payment-behavior`
  const body = { outcome: 'failed' }
  expect((await send(line, { key: other.testKey, body })).status).toBe(404)
  expect((await send(line, { key: scenario.shop.liveKey, body })).body.code).toBe('test_mode_only')
})
