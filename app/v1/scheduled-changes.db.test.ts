import { afterAll, describe, expect, test } from 'vitest'
import { db } from '@/lib/platform/db/db.ts'
import { send } from '@/lib/testing/api.ts'
import { aPlan, aProduct, price } from '@/lib/testing/factories.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { aShop, runDueTasks } from '@/lib/testing/shop.ts'
import {
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionScenario,
} from '@/lib/testing/subscription-scenario.ts'
import {
  cancel,
  change,
  changed,
  invoiced,
  netsOf,
  now,
  refusedChange,
  resume,
  scheduled,
  updatedNow,
  updatedOnRenewal,
} from '../../lib/testing/subscription-changes.ts'
import {
  during,
  eventsOf,
  halfOfJune,
  june,
  nameOf,
  on,
  pastMidnight,
  refused,
  renewed,
  subscriptionOf,
} from '../../lib/testing/subscription-events.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

describe('a scheduled change', () => {
  test('a subscription shows all terms of its scheduled change, and the renewal applies the change', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const team = await aPlan(scenario.key, { name: 'Team', description: 'For all', basePrice: price('250.00') })
    const before = await subscriptionOf(scenario)
    const { subscription, events, orders } = await changed(scenario, { subscriptionPlanId: team.id, quantity: 3 })
    expect({ events, orders }).toEqual({ events: [scheduled], orders: [] })
    expect(subscription).toEqual({
      ...before,
      scheduledUpdate: {
        subscriptionPlanId: team.id,
        name: 'Team',
        description: 'For all',
        basePrice: price('250.00'),
        quantity: 3,
        interval: 'month',
        intervalCount: 1,
        effectiveAt: on('2027-07-01'),
      },
    })
    const renewal = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(renewal.events).toEqual([updatedOnRenewal, 'order.paid'])
    expect(renewal.subscription).toMatchObject({
      subscriptionPlanId: team.id,
      name: 'Team',
      description: 'For all',
      basePrice: price('250.00'),
      quantity: 3,
      scheduledUpdate: null,
      renewedAt: on('2027-07-01'),
      renewedUntil: on('2027-08-01'),
      nextRenewalAt: on('2027-08-01'),
    })
    expect(renewal.orders).toMatchObject([
      {
        status: 'paid',
        total: price('750.00'),
        lines: [{ description: 'Team', quantity: 3, basePrice: price('250.00'), productId: scenario.id }],
      },
    ])
    const next = await during(scenario, () => pastMidnight(scenario, '2027-08-01'))
    expect(next.events).toEqual([renewed, 'order.paid'])
  })

  test('a second scheduled change keeps all scheduled fields that it does not set, but a new plan replaces the scheduled price', async () => {
    const scenario = await subscriptionScenario(june)
    const team = await aPlan(scenario.key, { name: 'Team', basePrice: price('250.00') })
    await changed(scenario, { price: price('90.00') })
    expect((await changed(scenario, { quantity: 2 })).subscription.scheduledUpdate).toMatchObject({
      subscriptionPlanId: scenario.planId,
      basePrice: price('90.00'),
      quantity: 2,
    })
    expect((await changed(scenario, { subscriptionPlanId: team.id })).subscription.scheduledUpdate).toMatchObject({
      subscriptionPlanId: team.id,
      basePrice: price('250.00'),
      quantity: 2,
    })
    const priced = await changed(scenario, { subscriptionPlanId: team.id, price: price('200.00') })
    expect(priced.subscription.scheduledUpdate).toMatchObject({ basePrice: price('200.00'), quantity: 2 })
    expect(priced.events).toEqual([scheduled])
  })

  test('an immediate change does not remove a scheduled change', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    await changed(scenario, { price: price('150.00') })
    const { subscription } = await changed(scenario, { quantity: 2, ...now })
    expect(subscription).toMatchObject({
      quantity: 2,
      basePrice: price('100.00'),
      scheduledUpdate: { quantity: 2, basePrice: price('150.00') },
    })
    const renewal = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(renewal.orders.map(netsOf)).toEqual([['300.00', '-50.00', '100.00']])
  })

  test('a scheduled change keeps the values of its plan, even if the plan is changed or archived later', async () => {
    const scenario = await subscriptionScenario(june)
    const team = await aPlan(scenario.key, { name: 'Team', basePrice: price('250.00') })
    await changed(scenario, { subscriptionPlanId: team.id })
    for (const id of [team.id, scenario.planId]) {
      const body = { name: 'Renamed', basePrice: price('999.00') }
      expect((await send(`PATCH /v1/subscription-plans/${id}`, { key: scenario.key, body })).status).toBe(200)
      await db().tasks.updateMany({ where: { name: { startsWith: 'catalog' } }, data: { run_at: new Date(0) } })
      await runDueTasks()
      expect(await get(scenario.key, `/v1/subscription-plans/${id}`)).toMatchObject(body)
      expect((await send(`POST /v1/subscription-plans/${id}/archive`, { key: scenario.key })).status).toBe(204)
    }
    expect(await subscriptionOf(scenario)).toMatchObject({ name: 'Pro', scheduledUpdate: { name: 'Team' } })
    const { orders, subscription } = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(orders.map(netsOf)).toEqual([['250.00']])
    expect(subscription).toMatchObject({ subscriptionPlanId: team.id, name: 'Team' })
  })

  test('a cancellation drops a scheduled change, and a resumption does not restore the change', async () => {
    const scenario = await subscriptionScenario(june)
    await changed(scenario, { quantity: 2 })
    expect((await during(scenario, cancel)).subscription).toMatchObject({ scheduledUpdate: null, nextRenewalAt: null })
    expect((await during(scenario, resume)).subscription).toMatchObject({ scheduledUpdate: null, quantity: 1 })
    const renewal = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(renewal.events).toEqual([renewed, 'order.paid'])
    expect(renewal.orders.map(netsOf)).toEqual([['100.00']])
  })
})

test('a change to the current values changes nothing, whether the change is scheduled or immediate', async () => {
  const scenario = await subscriptionScenario(june)
  const before = await subscriptionOf(scenario)
  for (const when of [{}, now, invoiced])
    for (const same of [{ quantity: 1 }, { price: price('100.00') }, { subscriptionPlanId: scenario.planId }]) {
      const { subscription, events, orders } = await changed(scenario, { ...same, ...when })
      expect({ subscription, events, orders }).toEqual({ subscription: before, events: [], orders: [] })
    }
})

test('a scheduled change to the current plan is accepted, even if the plan is archived', async () => {
  const scenario = await subscriptionScenario(june)
  expect((await send(`POST /v1/subscription-plans/${scenario.planId}/archive`, { key: scenario.key })).status).toBe(204)
  const same = await changed(scenario, { subscriptionPlanId: scenario.planId, quantity: 1 })
  expect(same).toMatchObject({ events: [], orders: [] })
  expect((await changed(scenario, { subscriptionPlanId: scenario.planId, quantity: 2 })).events).toEqual([scheduled])
})

describe('a change is refused', () => {
  const usd = price('10.00', 'USD')
  let standing: Promise<Scenario> | undefined
  test.each<[field: string, body: object]>([
    ['subscriptionPlanId', {}],
    ['subscriptionPlanId', { prorate: false, applyImmediately: true }],
    ['subscriptionPlanId', { trialUntil: '2027-08-01T00:00:00Z' }],
    ['subscriptionPlanId', { subscriptionPlanId: 'order_0000000000000000000000' }],
    ['subscriptionPlanId', { subscriptionPlanId: 'subscription_plan_0000000000000000000000' }],
    ['quantity', { quantity: 0 }],
    ['quantity', { quantity: 1.5 }],
    ['quantity', { quantity: '2' }],
    ['quantity', { quantity: 999_999, price: price('999999.99') }],
    ['price.value', { price: price('10') }],
    ['price.value', { price: price('-1.00') }],
    ['price.currency', { price: usd }],
    ['price.currency', { price: price('10.00', 'GBP') }],
    ['anchor', { quantity: 2, anchor: '2027-06-31' }],
    ['anchor', { quantity: 2, anchor: '2027-06-20T00:00:00Z' }],
    ['anchor', { quantity: 2, anchor: '2027-06-20', resetAnchor: true }],
    ['trialUntil', { quantity: 2, anchor: '2027-06-20', trialUntil: '2027-08-01T00:00:00Z' }],
    ['trialUntil', { quantity: 2, trialUntil: '2027-08-32T00:00:00Z' }],
    ['trialUntil', { quantity: 2, trialUntil: '2027-05-01T00:00:00Z' }],
    ['trialUntil', { quantity: 2, trialUntil: '2027-06-30T23:59:59Z' }],
    ['prorate', { quantity: 2, prorate: 'yes' }],
    ['applyImmediately', { quantity: 2, applyImmediately: 1 }],
    ['invoiceImmediately', { quantity: 2, invoiceImmediately: 'false' }],
    ['resetAnchor', { quantity: 2, resetAnchor: 'true' }],
  ])('a refused change has an error on the field %s: %j', async (field, body) => {
    standing ??= subscriptionScenario(june) // a refused change has no effect, so all cases share one subscription
    await refusedChange(await standing, body, field)
  })

  test('a change is refused if the new plan is archived, unknown, or of another tenant', async () => {
    const scenario = await subscriptionScenario(june)
    const archived = await aPlan(scenario.key)
    await send(`POST /v1/subscription-plans/${archived.id}/archive`, { key: scenario.key })
    const another = await aShop()
    const ids = [
      archived.id,
      (await aProduct(scenario.key)).id,
      (await aPlan(scenario.shop.liveKey)).id,
      (await aPlan(another.testKey)).id,
    ]
    for (const subscriptionPlanId of ids) {
      for (const when of [{}, now]) await refusedChange(scenario, { subscriptionPlanId, ...when }, 'subscriptionPlanId')
    }
  })

  test('a change of a canceled subscription is refused', async () => {
    const scenario = await subscriptionScenario(june)
    await cancel(scenario, '?immediately=true')
    for (const when of [{}, now])
      await refused(scenario, () => change(scenario, { quantity: 2, ...when }), 'subscription_not_changeable')
  })
})

describe('a repeated request', () => {
  const headers = { 'Idempotency-Key': 'the-same' }

  test('repeating a change request with its idempotency key has no second effect', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const asking = (body: object) =>
      send(`PATCH /v1/subscriptions/${scenario.id}`, { key: scenario.key, body, headers }).finally(drainTasks)
    const body = { quantity: 2, ...invoiced }
    const { events, orders } = await during(scenario, async () => {
      const [first, again] = [await asking(body), await asking(body)]
      expect(again).toMatchObject({ status: 200, body: first.body })
      expect(again.headers.get('Idempotent-Replayed')).toBe('true')
      expect(await asking({ ...body, quantity: 3 })).toMatchObject({
        status: 409,
        body: { code: 'idempotency_mismatch' },
      })
    })
    expect({ events, orders: orders.length }).toEqual({ events: [updatedNow, 'order.paid'], orders: 1 })
  })

  test('repeating a cancellation with its idempotency key returns the same response and has no second effect', async () => {
    const scenario = await subscriptionScenario(june)
    const asking = (key: string) =>
      send(`DELETE /v1/subscriptions/${scenario.id}?immediately=true`, {
        key: scenario.key,
        headers: { 'Idempotency-Key': key },
      })
    const replies = [await asking('one'), await asking('one'), await asking('two'), await asking('two')]
    expect(replies.map(({ status, headers }) => [status, headers.get('Idempotent-Replayed')])).toEqual([
      [204, null],
      [204, 'true'],
      [422, null],
      [422, 'true'],
    ])
    expect((await eventsOf(scenario)).map(nameOf)).toEqual(['subscription.canceled_immediately'])
  })
})

test('a subscription allows at most 20 immediate charges per hour of real time', async () => {
  const scenario = await subscriptionScenario(june)
  for (let quantity = 2; quantity <= 21; quantity++) {
    expect((await change(scenario, { quantity, ...invoiced })).status).toBe(200)
  }
  expect(await ordersOf(scenario)).toHaveLength(21)
  await pass(scenario, 'PT2H')
  const before = [await subscriptionOf(scenario), await eventsOf(scenario)]
  const headers = { 'Idempotency-Key': 'refused' }
  const asking = () =>
    send(`PATCH /v1/subscriptions/${scenario.id}`, { key: scenario.key, body: { quantity: 22, ...invoiced }, headers })
  const reply = await asking()
  expect(reply).toMatchObject({ status: 429, body: { code: 'too_many_charges' } })
  expect((await asking()).headers.get('Idempotent-Replayed')).toBeNull()
  const seconds = Number(reply.headers.get('Retry-After'))
  expect(seconds).toBeGreaterThan(3_400)
  expect(seconds).toBeLessThanOrEqual(3_600)
  expect([await subscriptionOf(scenario), await eventsOf(scenario)]).toEqual(before)
  expect((await change(scenario, { quantity: 22, ...now })).status).toBe(200)
  expect((await change(scenario, { quantity: 23 })).status).toBe(200)
  const another = await subscriptionScenario(june)
  expect((await change(another, { quantity: 2, ...invoiced })).status).toBe(200)
})
