import { afterAll, describe, expect, it, test } from 'vitest'
import { send } from '../../lib/testing/api.ts'
import { aCheckout, aPlan, pay, price } from '../../lib/testing/factories.ts'
import { brokenInvariants } from '../../lib/testing/invariants.ts'
import { recordedQueries } from '../../lib/testing/recorded-queries.ts'
import { billingToken, chooseMethod, onProvidersPage } from '../../lib/testing/scenarios.ts'
import { aShop, tokenOf } from '../../lib/testing/shop.ts'
import {
  ask,
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../lib/testing/subscription-scenario.ts'
import { submitCheckout } from '../../lib/workflows/sale/submit-checkout.ts'
import { declineMandate } from '../../lib/workflows/test-helpers/mandates.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

/** Matches the first ten minutes of a day, because a payment takes some seconds. */
const on = (day: string) => expect.stringMatching(new RegExp(`^${day}T00:0\\d:`))

async function eventOf({ key }: Pick<Scenario, 'key'>, name: string) {
  return (await get(key, `/v1/webhook-events?eventName=${name}`)).data[0].object
}

async function declined(reason: Parameters<typeof declineMandate>[1], options = {}): Promise<Scenario> {
  const scenario = await subscriptionScenario(options)
  await declineMandate(scenario.id, reason)
  await pass(scenario, 'P1M')
  return scenario
}

async function shownBy(scenario: Scenario) {
  const { key, id, customerId } = scenario
  const subscription = await subscriptionOf(scenario)
  expect((await get(key, '/v1/subscriptions')).data).toEqual([subscription])
  expect((await get(key, `/v1/customers/${customerId}/subscriptions`)).data).toEqual([subscription])
  expect(await get(key, `/v1/customers/${customerId}/subscriptions/${id}`)).toEqual(subscription)
  const order = (await ordersOf(scenario)).at(-1)
  expect(await get(key, `/v1/orders/${order.id}`)).toEqual(order)
  return { subscription, order }
}

test('paidUntil of a subscription without an unpaid order is the end of its period, even in a trial', async () => {
  const { subscription, order } = await shownBy(await subscriptionScenario())
  expect(subscription).toMatchObject({ paidUntil: subscription.renewedUntil, recovery: null })
  expect(order).toMatchObject({ status: 'paid', paymentFailure: null })
  const trial = await subscriptionScenario({ item: { trialDays: 14 } })
  const { trialUntil, paidUntil } = await subscriptionOf(trial)
  expect(paidUntil).toBe(trialUntil)
})

describe('after the charge of a renewal failed', () => {
  test('after a failed renewal, the subscription, the order, and the event state the failure and the next attempt', async () => {
    const scenario = await declined('insufficient_funds')
    const { subscription, order } = await shownBy(scenario)
    const failure = {
      failureReason: 'insufficient_funds',
      declineType: 'soft',
      failedAt: on('2027-02-01'),
      nextAttemptAt: on('2027-02-03'),
    }
    expect(subscription).toMatchObject({
      status: 'active',
      renewedUntil: on('2027-03-01'),
      paidUntil: on('2027-02-01'),
      recovery: {
        orderId: order.id,
        amountDue: price('100.00'),
        ...failure,
        endsAt: on('2027-02-22'),
        waitsFor: null,
      },
    })
    expect(order).toMatchObject({ status: 'pending', paymentFailure: failure })
    expect(await eventOf(scenario, 'order.payment_failed')).toEqual(order)
    expect(await eventOf(scenario, 'subscription.updated')).toEqual({ ...subscription, recovery: null })
  })

  test('paymentFailure describes the latest failed attempt, and is null after a payment', async () => {
    const scenario = await declined('insufficient_funds')
    await declineMandate(scenario.id, 'temporary_decline')
    await pass(scenario, 'P2D')
    const failure = {
      failureReason: 'temporary_decline',
      failedAt: on('2027-02-03'),
      nextAttemptAt: on('2027-02-08'),
    }
    expect(await shownBy(scenario)).toMatchObject({
      subscription: { recovery: { ...failure, endsAt: on('2027-02-22') } },
      order: { paymentFailure: failure },
    })
    await declineMandate(scenario.id, null)
    await pass(scenario, 'P5D')
    const { subscription, order } = await shownBy(scenario)
    expect(subscription).toMatchObject({ paidUntil: subscription.renewedUntil, recovery: null })
    expect(order).toMatchObject({ status: 'paid', paymentFailure: null })
    expect(await eventOf(scenario, 'order.paid')).toEqual(order)
  })

  test('after a hard decline, `recovery` has no next attempt, and the canceled subscription keeps its paidUntil', async () => {
    const scenario = await declined('card_expired')
    expect((await subscriptionOf(scenario)).recovery).toMatchObject({
      declineType: 'hard',
      nextAttemptAt: null,
      endsAt: on('2027-02-08'),
    })
    await pass(scenario, 'P7D')
    const { subscription, order } = await shownBy(scenario)
    expect(subscription).toMatchObject({ status: 'canceled', paidUntil: on('2027-02-01'), recovery: null })
    expect(order).toMatchObject({ status: 'canceled', paymentFailure: null })
    expect(await eventOf(scenario, 'subscription.canceled_for_nonpayment')).toEqual(subscription)
    expect(await eventOf(scenario, 'order.canceled')).toEqual(order)
  })

  test('the order.paid event for the verification of a new payment method (0.00) does not end the recovery', async () => {
    const scenario = await declined('card_expired')
    const { recovery } = await subscriptionOf(scenario)
    await chooseMethod(await billingToken(scenario), 'directdebit')
    await drainTasks()
    const verified = await eventOf(scenario, 'order.paid')
    expect(verified).toMatchObject({ total: price('0.00'), paymentFailure: null })
    expect(await eventOf(scenario, 'subscription.billing_updated')).toMatchObject({ recovery })
    expect(await subscriptionOf(scenario)).toMatchObject({ paidUntil: on('2027-02-01'), recovery })
    await pass(scenario, 'PT1H')
    expect(await subscriptionOf(scenario)).toMatchObject({ paidUntil: on('2027-03-01'), recovery: null })
  })
})

test('an order with a direct debit in progress is neither paid nor failed', async () => {
  const scenario = await subscriptionScenario({ buyer: { paymentMethod: 'ideal' } })
  await pass(scenario, 'P1M')
  expect(await shownBy(scenario)).toMatchObject({
    subscription: { renewedUntil: on('2027-03-01'), paidUntil: on('2027-02-01'), recovery: null },
    order: { status: 'pending', paymentFailure: null },
  })
})

test('paidUntil is the end of the period even if the order of a change is unpaid', async () => {
  const scenario = await subscriptionScenario()
  await declineMandate(scenario.id, 'insufficient_funds')
  await pass(scenario, 'P10D')
  const body = { quantity: 3, applyImmediately: true, invoiceImmediately: true }
  const changed = await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)
  expect(changed.body).toMatchObject({ paidUntil: on('2027-02-01'), recovery: null })
  const { subscription, order } = await shownBy(scenario)
  expect(subscription).toMatchObject({
    paidUntil: subscription.renewedUntil,
    recovery: { orderId: order.id, failedAt: on('2027-01-11'), endsAt: on('2027-02-01') },
  })
  await ask(scenario, `DELETE /v1/orders/${order.id}/recovery`)
  expect((await subscriptionOf(scenario)).recovery).toBeNull()
})

test('the recovery field names the renewal if a change and a renewal are unpaid', async () => {
  const scenario = await subscriptionScenario()
  await declineMandate(scenario.id, 'card_expired')
  await pass(scenario, 'P28D')
  const body = { quantity: 3, applyImmediately: true, invoiceImmediately: true }
  await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)
  await pass(scenario, 'P4D')
  const { subscription, order } = await shownBy(scenario)
  expect(subscription).toMatchObject({ paidUntil: on('2027-02-01'), recovery: { orderId: order.id } })
})

test('paidUntil excludes a period that began with an unpaid change of the interval', async () => {
  const scenario = await subscriptionScenario()
  const { id: yearly } = await aPlan(scenario.key, { basePrice: price('900.00'), interval: 'year' })
  await declineMandate(scenario.id, 'card_expired')
  await pass(scenario, 'P10D')
  const body = { subscriptionPlanId: yearly, applyImmediately: true }
  await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)
  const { subscription, order } = await shownBy(scenario)
  expect(subscription).toMatchObject({
    renewedUntil: on('2028-01-11'),
    paidUntil: on('2027-01-11'),
    recovery: { orderId: order.id },
  })
  await pass(scenario, 'P7D')
  const undone = await subscriptionOf(scenario)
  expect(undone).toMatchObject({ interval: 'month', paidUntil: undone.renewedUntil, recovery: null })
})

test('if the first debit is returned, the subscription is unpaid from its start', async () => {
  const shop = await aShop({ at: '2027-06-01T00:00:00Z' })
  const key = shop.testKey
  const { id: planId } = await aPlan(key, { basePrice: price('100.00') })
  const checkout = await aCheckout(key, planId)
  const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'DE', paymentMethod: 'directdebit' }
  const visitor = { acceptLanguage: 'en', header: () => null }
  const next = await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), new URLSearchParams(buyer), visitor)
  await onProvidersPage(next, { outcome: 'returned' })
  await pass({ key }, 'P5DT1H')
  const [subscription] = (await get(key, '/v1/subscriptions')).data
  const [order] = (await get(key, '/v1/orders')).data
  expect(subscription).toMatchObject({
    status: 'active',
    paidUntil: subscription.startedAt,
    recovery: { orderId: order.id, amountDue: price('119.00'), failureReason: 'insufficient_funds', waitsFor: null },
  })
  expect(order).toMatchObject({ status: 'pending', paymentFailure: { failedAt: subscription.recovery.failedAt } })
  expect(await eventOf({ key }, 'order.payment_failed')).toMatchObject({
    paymentFailure: { failureReason: 'insufficient_funds', declineType: 'soft' },
  })
})

test('after an advance of the test clock, the response and the subscription name the order that waits for a simulated payment', async () => {
  const scenario = await subscriptionScenario()
  const body = { paymentStatus: 'failed', failureReason: 'insufficient_funds' }
  await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', body)
  expect((await subscriptionOf(scenario)).recovery).toMatchObject({ waitsFor: null, nextAttemptAt: on('2027-01-03') })
  const advance = (by: string) => send('POST /v1/test-helpers/clock/advance', { key: scenario.key, body: { by } })
  expect((await advance('P1D')).body).toMatchObject({ waiting: [] })
  const { body: advanced } = await advance('P1D')
  const { subscription, order } = await shownBy(scenario)
  expect(subscription.recovery).toMatchObject({ orderId: order.id, waitsFor: 'simulate-payment', nextAttemptAt: null })
  expect(advanced.waiting).toEqual([{ orderId: order.id, subscriptionId: scenario.id }])
  await ask(scenario, `POST /v1/test-helpers/orders/${order.id}/simulate-payment`, { paymentStatus: 'paid' })
  expect(await subscriptionOf(scenario)).toMatchObject({ paidUntil: on('2027-03-01'), recovery: null })
  expect((await advance('P1D')).body).toMatchObject({ waiting: [] })
})

describe('the SQL statements that read subscriptions', () => {
  const statements = async (work: () => Promise<unknown>) =>
    (await recordedQueries(work)).filter(({ text }) => /\bFROM "?subscriptions"?\b/.test(text)).length

  it('a subscription is read with one SQL statement', async () => {
    const scenario = await declined('insufficient_funds')
    expect(await statements(() => subscriptionOf(scenario))).toBe(1)
  })

  it('a list of subscriptions is read with two SQL statements, however many subscriptions the list has', async () => {
    const scenario = await declined('insufficient_funds')
    const { key, planId } = scenario
    for (const length of [1, 3]) {
      expect((await get(key, '/v1/subscriptions')).data).toHaveLength(length)
      expect(await statements(() => get(key, '/v1/subscriptions'))).toBe(2)
      for (const name of ['a', 'b'])
        await pay(key, await aCheckout(key, planId), { country: 'DE', email: `${name}${length}@example.com` })
    }
  })
})
