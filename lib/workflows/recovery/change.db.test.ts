import { afterAll, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { aPlan, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { eventsOf } from '../../testing/shop.ts'
import {
  ask,
  clockTo,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { pauseTyped } from '../subscription-change/operations.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const immediately = { applyImmediately: true, invoiceImmediately: true }
async function change(scenario: Scenario, body: object) {
  const reply = await ask(scenario, 'PATCH /v1/subscriptions/{id}', { ...immediately, ...body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}
const lastOrder = async (scenario: Scenario) => (await ordersOf(scenario)).at(-1)
const orderOf = async ({ key }: Scenario, id: string) => (await send(`GET /v1/orders/${id}`, { key })).body

async function declined(more: object = {}, reason: 'card_expired' | 'insufficient_funds' = 'card_expired') {
  const scenario = await subscriptionScenario({
    at: '2027-03-01T00:00:00Z',
    plan: { basePrice: price('10.00') },
    buyer: { country: 'NL', taxId: '' },
    ...more,
  })
  await declineMandate(scenario.id, reason)
  return scenario
}

const termsOf = async (scenario: Scenario) => {
  const { subscriptionPlanId, basePrice, quantity, interval, intervalCount, renewedUntil, nextRenewalAt, status } =
    await subscriptionOf(scenario)
  const terms = { subscriptionPlanId, price: basePrice.value, quantity, interval, intervalCount }
  return { ...terms, renewedUntil, nextRenewalAt, status }
}

const reasons = async ({ id }: Scenario) =>
  (await db().events.findMany({ where: { entity_id: id }, orderBy: { id: 'asc' } })).map(
    ({ body }) => JSON.parse(body).reason ?? JSON.parse(body).eventName,
  )

it('after a cancellation with an unpaid change, the subscription lasts until the end of the paid time', async () => {
  const scenario = await declined()
  await clockTo(scenario.key, '2027-03-02T00:00:00Z')
  await change(scenario, { price: price('11.00') })
  const order = await lastOrder(scenario)
  expect(order).toMatchObject({ total: { value: '1.17' }, status: 'pending' })
  await clockTo(scenario.key, '2027-03-03T00:00:00Z')
  expect((await ask(scenario, 'DELETE /v1/subscriptions/{id}')).status).toBe(204)
  await clockTo(scenario.key, '2027-03-20T00:00:00Z')
  expect(await orderOf(scenario, order.id)).toMatchObject({ status: 'canceled' })
  expect(await subscriptionOf(scenario)).toMatchObject({
    status: 'on_grace_period',
    basePrice: { value: '10.00' },
    renewedUntil: expect.stringContaining('2027-04-01'),
  })
  await clockTo(scenario.key, '2027-04-01T12:00:00Z')
  expect(await subscriptionOf(scenario)).toMatchObject({
    status: 'canceled',
    cancellationReason: 'merchant_request',
    endedAt: expect.stringContaining('2027-04-01'),
  })
})

describe('an unpaid change at the end of its recovery', () => {
  it.each<[string, (scenario: Scenario) => Promise<object>]>([
    ['of the quantity', async () => ({ quantity: 3 })],
    ['of the price', async () => ({ price: price('11.00') })],
    ['of the plan', async ({ key }) => ({ subscriptionPlanId: (await aPlan(key, { basePrice: price('30.00') })).id })],
    [
      'of the interval',
      async ({ key }) => ({
        subscriptionPlanId: (await aPlan(key, { basePrice: price('90.00'), interval: 'year' })).id,
        invoiceImmediately: false,
      }),
    ],
    ['of the anchor', async () => ({ quantity: 1, anchor: '2027-04-10' })],
    ['that starts a new period', async () => ({ quantity: 1, resetAnchor: true })],
  ])('at the end of its recovery, an unpaid change %s is undone, and the subscription continues', async (_, asked) => {
    const scenario = await declined()
    await pass(scenario, 'P10D')
    const before = await termsOf(scenario)
    await change(scenario, await asked(scenario))
    expect(await termsOf(scenario)).not.toEqual(before)
    const { id } = await lastOrder(scenario)
    await pass(scenario, 'P7D')
    expect(await termsOf(scenario)).toEqual(before)
    expect(await orderOf(scenario, id)).toMatchObject({ status: 'canceled' })
    expect((await reasons(scenario)).at(-1)).toBe('change_reverted')
    expect((await eventsOf(scenario.shop)).slice(-2)).toEqual(['order.canceled', 'subscription.updated'])
    await declineMandate(scenario.id, null)
    await clockTo(scenario.key, '2027-04-01T12:00:00Z')
    expect(await lastOrder(scenario)).toMatchObject({ status: 'paid', subtotal: { value: '10.00' } })
    expect(await subscriptionOf(scenario)).toMatchObject({
      status: 'active',
      renewedUntil: expect.stringContaining('2027-05-01'),
    })
  })

  it('an unpaid change from a free plan to a paid price is undone if the buyer adds no payment method', async () => {
    const scenario = await subscriptionScenario({ plan: { basePrice: price('0.00') } })
    await change(scenario, { price: price('31.00') })
    expect(await lastOrder(scenario)).toMatchObject({ status: 'pending' })
    await pass(scenario, 'P7D')
    expect(await termsOf(scenario)).toMatchObject({ status: 'active', price: '0.00' })
    await pass(scenario, 'P1M')
    expect(await subscriptionOf(scenario)).toMatchObject({
      status: 'active',
      renewedUntil: expect.stringContaining('2027-03-01'),
    })
  })

  it('undoing an unpaid change does not end a pause', async () => {
    const scenario = await declined()
    await change(scenario, { quantity: 2 })
    await pauseTyped(scenario.id)
    await pass(scenario, 'P7D')
    expect(await termsOf(scenario)).toMatchObject({ status: 'paused', quantity: 1 })
  })

  it('undoing an unpaid change does not end a grace period', async () => {
    const scenario = await declined()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await change(scenario, { quantity: 2 })
    await pass(scenario, 'P7D')
    expect(await termsOf(scenario)).toMatchObject({ status: 'on_grace_period', quantity: 1 })
    await clockTo(scenario.key, '2027-04-01T12:00:00Z')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'merchant_request' })
  })

  it('if an unpaid interval change is undone after the end of the paid period, the next charge excludes the days before the change was undone', async () => {
    const scenario = await declined()
    await clockTo(scenario.key, '2027-03-29T00:00:00Z')
    const { id: subscriptionPlanId } = await aPlan(scenario.key, { basePrice: price('90.00'), interval: 'year' })
    await change(scenario, { subscriptionPlanId })
    await clockTo(scenario.key, '2027-04-04T00:00:00Z')
    await declineMandate(scenario.id, null)
    await clockTo(scenario.key, '2027-04-05T12:00:00Z')
    expect(await termsOf(scenario)).toMatchObject({
      interval: 'month',
      renewedUntil: expect.stringContaining('2027-05-01'),
    })
    // The charge is for the remaining 26 of 30 days, from 5 April to 1 May.
    expect(await lastOrder(scenario)).toMatchObject({ status: 'paid', subtotal: { value: '8.67' } })
  })
})

describe('a subscription while a change is unpaid', () => {
  it('during the recovery of a change, a renewal is charged on the changed terms', async () => {
    const scenario = await declined({}, 'insufficient_funds')
    await clockTo(scenario.key, '2027-03-26T12:00:00Z')
    await change(scenario, { quantity: 2 })
    const { id } = await lastOrder(scenario)
    await clockTo(scenario.key, '2027-03-31T00:00:00Z')
    await declineMandate(scenario.id, null)
    await clockTo(scenario.key, '2027-04-01T12:00:00Z')
    await declineMandate(scenario.id, 'insufficient_funds')
    expect(await lastOrder(scenario)).toMatchObject({ status: 'paid', subtotal: { value: '20.00' } })
    await clockTo(scenario.key, '2027-04-20T00:00:00Z')
    expect(await orderOf(scenario, id)).toMatchObject({ status: 'canceled' })
    expect(await subscriptionOf(scenario)).toMatchObject({
      status: 'active',
      quantity: 2,
      scheduledUpdate: { quantity: 1, effectiveAt: expect.stringContaining('2027-05-01') },
    })
    await declineMandate(scenario.id, null)
    await clockTo(scenario.key, '2027-05-01T12:00:00Z')
    expect(await lastOrder(scenario)).toMatchObject({ status: 'paid', subtotal: { value: '10.00' } })
  })

  it('an unpaid renewal is reduced when an unpaid change is undone, and the subscription ends if the renewal stays unpaid', async () => {
    const scenario = await declined()
    await clockTo(scenario.key, '2027-03-29T00:00:00Z')
    await change(scenario, { quantity: 2 })
    await clockTo(scenario.key, '2027-04-01T12:00:00Z')
    const renewal = await lastOrder(scenario)
    expect(renewal).toMatchObject({ status: 'pending', subtotal: { value: '20.00' } })
    await clockTo(scenario.key, '2027-04-05T12:00:00Z')
    expect(await termsOf(scenario)).toMatchObject({ status: 'active', quantity: 1 })
    expect(await orderOf(scenario, renewal.id)).toMatchObject({ status: 'pending', subtotal: { value: '10.00' } })
    await clockTo(scenario.key, '2027-04-08T12:00:00Z')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
  })

  it('reversing an unpaid change cancels the order of the change immediately and credits nothing', async () => {
    const scenario = await declined()
    await change(scenario, { price: price('11.00') })
    const { id } = await lastOrder(scenario)
    expect(await change(scenario, { price: price('10.00') })).toMatchObject({ basePrice: { value: '10.00' } })
    expect(await orderOf(scenario, id)).toMatchObject({ status: 'canceled' })
    expect(await ordersOf(scenario)).toHaveLength(2)
    await pass(scenario, 'P10D')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active' })
  })

  it('reversing an unpaid interval change restores the billing cycle', async () => {
    const scenario = await declined()
    await pass(scenario, 'P5D')
    const before = await termsOf(scenario)
    const { id: subscriptionPlanId } = await aPlan(scenario.key, { basePrice: price('90.00'), interval: 'year' })
    await change(scenario, { subscriptionPlanId })
    await change(scenario, { subscriptionPlanId: scenario.planId })
    expect(await termsOf(scenario)).toEqual(before)
    expect(await lastOrder(scenario)).toMatchObject({ status: 'canceled' })
  })

  it('removing unpaid seats cancels only the order for these seats', async () => {
    const scenario = await declined()
    await change(scenario, { quantity: 3 })
    await pass(scenario, 'P1D')
    await change(scenario, { quantity: 5 })
    const [, first, second] = await ordersOf(scenario)
    await change(scenario, { quantity: 3 })
    expect([await orderOf(scenario, first.id), await orderOf(scenario, second.id)]).toMatchObject([
      { status: 'pending' },
      { status: 'canceled' },
    ])
    await pass(scenario, 'P7D')
    expect(await termsOf(scenario)).toMatchObject({ quantity: 1, status: 'active' })
  })

  it('a scheduled reversal of an unpaid change cancels the order of the change at the renewal', async () => {
    const scenario = await declined({}, 'insufficient_funds')
    await clockTo(scenario.key, '2027-03-25T00:00:00Z')
    await change(scenario, { quantity: 2 })
    const { id } = await lastOrder(scenario)
    await ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 1 })
    await clockTo(scenario.key, '2027-04-01T12:00:00Z')
    expect(await orderOf(scenario, id)).toMatchObject({ status: 'canceled' })
  })

  it('a paid second change stays in effect when the unpaid first change is undone', async () => {
    const scenario = await declined({}, 'insufficient_funds')
    await change(scenario, { quantity: 2 })
    await declineMandate(scenario.id, null)
    await change(scenario, { quantity: 4 })
    expect(await lastOrder(scenario)).toMatchObject({ status: 'paid' })
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P22D')
    expect(await termsOf(scenario)).toMatchObject({ quantity: 3, status: 'active' })
  })

  it('an unpaid second change is undone together with the unpaid first change', async () => {
    const scenario = await declined()
    await change(scenario, { quantity: 2 })
    await pass(scenario, 'P2D')
    await change(scenario, { price: price('12.00') })
    await pass(scenario, 'P5D')
    expect(await termsOf(scenario)).toMatchObject({ quantity: 1, price: '10.00', status: 'active' })
    expect((await ordersOf(scenario)).map(({ status }: { status: string }) => status)).toEqual([
      'paid',
      'canceled',
      'canceled',
    ])
  })
})

describe('DELETE /v1/orders/{id}/recovery', () => {
  const cancel = async (scenario: Scenario, id: string) =>
    send(`DELETE /v1/orders/${id}/recovery`, { key: scenario.key })

  it('DELETE recovery cancels the unpaid order of a change and restores the former terms', async () => {
    const scenario = await declined()
    const before = await termsOf(scenario)
    await change(scenario, { quantity: 2 })
    const { id } = await lastOrder(scenario)
    expect((await cancel(scenario, id)).status).toBe(204)
    expect(await termsOf(scenario)).toEqual(before)
    expect(await orderOf(scenario, id)).toMatchObject({ status: 'canceled' })
    expect(await cancel(scenario, id)).toMatchObject({ status: 422, body: { code: 'order_not_in_recovery' } })
  })

  it('DELETE recovery is refused for renewals, orders without a recovery, and orders of other storefronts', async () => {
    const scenario = await declined()
    const [sale] = await ordersOf(scenario)
    expect(await cancel(scenario, sale.id)).toMatchObject({ status: 422, body: { code: 'order_not_in_recovery' } })
    await clockTo(scenario.key, '2027-04-01T12:00:00Z')
    const renewal = await lastOrder(scenario)
    expect(await cancel(scenario, renewal.id)).toMatchObject({ status: 422, body: { code: 'renewal_order' } })
    const other = await subscriptionScenario()
    expect((await cancel(other, renewal.id)).status).toBe(404)
  })
})

it('a grace period lasts until the end of the paid time, even if an early renewal was written off', async () => {
  const scenario = await subscriptionScenario()
  const failed = { paymentStatus: 'failed', failureReason: 'card_expired' }
  await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', failed)
  await ask(scenario, 'DELETE /v1/subscriptions/{id}')
  await pass(scenario, 'P8D')
  expect(await subscriptionOf(scenario)).toMatchObject({
    status: 'on_grace_period',
    renewedUntil: expect.stringContaining('2027-02-01'),
  })
  await clockTo(scenario.key, '2027-02-01T12:00:00Z')
  expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'merchant_request' })
})

it('a change after the write-off of an early renewal credits only the paid period', async () => {
  const scenario = await subscriptionScenario()
  const failed = { paymentStatus: 'failed', failureReason: 'card_expired' }
  await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', failed)
  await ask(scenario, 'DELETE /v1/subscriptions/{id}')
  await clockTo(scenario.key, '2027-01-11T00:00:00Z')
  await change(scenario, { quantity: 2 })
  // The credit covers the remaining 21 of the 31 days of January.
  const { lines } = await lastOrder(scenario)
  expect(lines.map(({ total }: { total: { value: string } }) => Number(total.value).toFixed(0))).toEqual(['-68', '135'])
})
