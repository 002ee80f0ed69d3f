import { afterAll, describe, expect, it, test } from 'vitest'
import { send } from '../../lib/testing/api.ts'
import { aCheckout, aPlan, aProduct, pay, price } from '../../lib/testing/factories.ts'
import { brokenInvariants } from '../../lib/testing/invariants.ts'
import { aShop } from '../../lib/testing/shop.ts'
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

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const metadata = { workspace: 'ws_1', seats: 3, trial: false }
const sold = () => subscriptionScenario({ item: { metadata } })
const patch = (scenario: Scenario, body: object) => ask(scenario, 'PATCH /v1/subscriptions/{id}', body)
const updates = async ({ key, id }: Scenario) =>
  (await get(key, `/v1/webhook-events?eventName=subscription.updated&entityId=${id}`)).data
const reasonsOf = async (scenario: Scenario) =>
  (await updates(scenario)).map(({ reason }: { reason: string }) => reason)

test('an order line and a subscription have the metadata of their item in the checkout', async () => {
  const { testKey: key } = await aShop({ at: '2027-01-01T00:00:00Z' })
  const plan = await aPlan(key, { basePrice: price('100.00') })
  const product = await aProduct(key, { basePrice: price('20.00') })
  const products = [{ id: plan.id, metadata }, { id: product.id, metadata: { size: 'L' } }, { id: product.id }]
  const checkout = await aCheckout(key, plan.id, { products, metadata: { cart: 'c1' } })
  await pay(key, checkout, { country: 'DE' })
  await drainTasks()
  const [order] = (await get(key, '/v1/orders')).data
  expect(order).toMatchObject({
    metadata: { cart: 'c1' },
    lines: [{ metadata }, { metadata: { size: 'L' } }, { metadata: null }],
  })
  const [subscription] = (await get(key, '/v1/subscriptions')).data
  expect(subscription.metadata).toEqual(metadata)
  const [started] = (await get(key, '/v1/webhook-events?eventName=subscription.started')).data
  expect(started.object.metadata).toEqual(metadata)
})

test('the metadata of a checkout item with a trial is on the subscription and on the order of the first renewal', async () => {
  const scenario = await subscriptionScenario({ item: { trialDays: 14, metadata } })
  expect((await subscriptionOf(scenario)).metadata).toEqual(metadata)
  const [verification] = await ordersOf(scenario)
  expect(verification).toMatchObject({
    metadata: null,
    lines: [{ productType: 'auth_request_product', metadata: null }],
  })
  await pass(scenario, 'P14D')
  expect((await ordersOf(scenario)).at(-1)).toMatchObject({ metadata, lines: [{ metadata: null }] })
})

test('the order of a renewal or change has the metadata of the subscription at the time of the order', async () => {
  const scenario = await sold()
  await pass(scenario, 'P1M')
  const next = { workspace: 'ws_2' }
  await patch(scenario, { metadata: next })
  await patch(scenario, { quantity: 2, applyImmediately: true, invoiceImmediately: true })
  await pass(scenario, 'P1M')
  expect((await ordersOf(scenario)).map((order: { metadata: unknown }) => order.metadata)).toEqual([
    null,
    metadata,
    next,
    next,
  ])
})

describe('PATCH of only the metadata of a subscription', () => {
  it('metadata of a subscription is replaced at once without a charge, even if a change is scheduled', async () => {
    const scenario = await sold()
    await patch(scenario, { quantity: 5 })
    const before = await subscriptionOf(scenario)
    const changed = await patch(scenario, { metadata: { only: 'this' } })
    expect(changed).toMatchObject({ status: 200, body: { ...before, metadata: { only: 'this' } } })
    expect(await subscriptionOf(scenario)).toEqual(changed.body)
    const [event] = await updates(scenario)
    expect(event).toMatchObject({ reason: 'metadata_changed', object: changed.body })
    expect(await ordersOf(scenario)).toHaveLength(1)
  })

  it('null clears the metadata of a subscription, and a PATCH without the field keeps it', async () => {
    const scenario = await sold()
    await patch(scenario, { quantity: 5 })
    expect((await subscriptionOf(scenario)).metadata).toEqual(metadata)
    await patch(scenario, { metadata: null })
    expect((await subscriptionOf(scenario)).metadata).toBeNull()
  })

  it('no event is sent if the new metadata of a subscription equals the old metadata', async () => {
    const scenario = await sold()
    expect((await patch(scenario, { metadata })).status).toBe(200)
    expect(await updates(scenario)).toEqual([])
  })

  it('metadata of a subscription can be changed in a grace period', async () => {
    const scenario = await sold()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    const reply = await patch(scenario, { metadata: null })
    expect(reply.body).toMatchObject({ status: 'on_grace_period', metadata: null })
  })

  it('a change of metadata is refused after the end of the subscription', async () => {
    const scenario = await sold()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
    const reply = await patch(scenario, { metadata: null })
    expect(reply).toMatchObject({ status: 422, body: { code: 'subscription_not_changeable' } })
    expect((await subscriptionOf(scenario)).metadata).toEqual(metadata)
  })

  it('a metadata change with anchor, resetAnchor, or trialUntil is refused if the request has neither a plan nor a quantity nor a price', async () => {
    const scenario = await sold()
    const { renewedUntil } = await subscriptionOf(scenario)
    for (const more of [{ anchor: '2027-01-20' }, { resetAnchor: true }, { trialUntil: '2027-03-01T00:00:00Z' }]) {
      const reply = await patch(scenario, { metadata: { a: 1 }, ...more })
      expect(reply).toMatchObject({ status: 422, body: { errors: { subscriptionPlanId: expect.anything() } } })
    }
    expect(await subscriptionOf(scenario)).toMatchObject({ metadata, renewedUntil })
    const terms = { subscriptionPlanId: scenario.planId, quantity: 2, price: price('150.00') }
    for (const [name, value] of Object.entries(terms)) {
      const sent = { [name]: value, metadata: { name }, resetAnchor: true, applyImmediately: true }
      expect(await patch(scenario, sent)).toMatchObject({ status: 200, body: { metadata: { name } } })
    }
  })

  it('invalid metadata of a subscription is refused with 422, and an API key of another storefront gets 404', async () => {
    const scenario = await sold()
    const tooMany = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`key${n}`, 1]))
    for (const wrong of [tooMany, { a: { b: 1 } }, 'text', { [`k${'x'.repeat(40)}`]: 1 }])
      expect((await patch(scenario, { metadata: wrong })).status).toBe(422)
    const other = await aShop({ at: '2027-01-01T00:00:00Z' })
    const foreign = await send(`PATCH /v1/subscriptions/${scenario.id}`, {
      key: other.testKey,
      body: { metadata: null },
    })
    expect(foreign.status).toBe(404)
    expect((await subscriptionOf(scenario)).metadata).toEqual(metadata)
  })
})

describe('PATCH of the metadata and other fields of a subscription', () => {
  it('if a PATCH of a subscription sets metadata and a quantity, the charged order already has the new metadata', async () => {
    const scenario = await sold()
    const body = { quantity: 2, applyImmediately: true, invoiceImmediately: true, metadata: { seats: 2 } }
    expect((await patch(scenario, body)).body).toMatchObject({ quantity: 2, metadata: { seats: 2 } })
    expect(await reasonsOf(scenario)).toEqual(['updated_immediately', 'metadata_changed'])
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ metadata: { seats: 2 }, status: 'paid' })
  })

  it('if a PATCH of a subscription with a price and metadata is refused because of the price, the metadata does not change', async () => {
    const scenario = await sold()
    const body = { price: price('1.00'), applyImmediately: true, metadata: { seats: 2 } }
    expect((await patch(scenario, body)).status).toBe(422)
    expect((await subscriptionOf(scenario)).metadata).toEqual(metadata)
    expect(await updates(scenario)).toEqual([])
  })
})

test('a PATCH of a customer replaces the metadata, null clears it, and a PATCH without the field keeps it', async () => {
  const { testKey: key } = await aShop({})
  const body = { email: 'ada@example.com', metadata: { a: 1, b: true } }
  const { id } = (await send('POST /v1/customers', { key, body })).body
  const change = async (body: object) => (await send(`PATCH /v1/customers/${id}`, { key, body })).body
  expect(await change({ metadata: { c: 'x' } })).toMatchObject({ metadata: { c: 'x' } })
  expect(await change({ name: 'Ada' })).toMatchObject({ name: 'Ada', metadata: { c: 'x' } })
  expect((await get(key, `/v1/customers/${id}`)).metadata).toEqual({ c: 'x' })
  expect(await change({ metadata: null })).toMatchObject({ name: 'Ada', metadata: null })
  expect((await get(key, `/v1/customers/${id}`)).metadata).toBeNull()
})
