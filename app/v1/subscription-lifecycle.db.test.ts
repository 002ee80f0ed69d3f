import { afterAll, describe, expect, test } from 'vitest'
import { aPlan, price } from '@/lib/testing/factories.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { aShop } from '@/lib/testing/shop.ts'
import {
  ask,
  clockTo,
  drainTasks,
  ordersOf,
  pass,
  subscriptionScenario,
  untilFirstRetry,
} from '@/lib/testing/subscription-scenario.ts'
import { pauseTyped, unpauseTyped } from '@/lib/workflows/subscription-change/operations.ts'
import { declineMandate } from '@/lib/workflows/test-helpers/mandates.ts'
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
  halfOfJune,
  june,
  on,
  pastMidnight,
  refused,
  renewed,
  subscriptionOf,
} from '../../lib/testing/subscription-events.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

describe('a trial', () => {
  const trial = { ...june, item: { trialDays: 14 } }
  const inTrial = {
    status: 'trial',
    renewedAt: null,
    renewedUntil: on('2027-06-15'),
    nextRenewalAt: on('2027-06-15'),
    trialUntil: on('2027-06-15'),
  }

  test('a trial costs nothing, and the billing cycle starts on the day on which the trial ends', async () => {
    const scenario = await subscriptionScenario(trial)
    expect(await subscriptionOf(scenario)).toMatchObject({ ...inTrial, startedAt: on('2027-06-01') })
    expect(await ordersOf(scenario)).toMatchObject([
      {
        status: 'paid',
        invoiceNumber: null,
        total: price('0.00'),
        lines: [{ productType: 'auth_request_product', productId: null }],
      },
    ])
    const { subscription, events, orders } = await during(scenario, () => pastMidnight(scenario, '2027-06-15'))
    expect(events).toEqual([renewed, 'order.paid'])
    expect(subscription).toMatchObject({
      status: 'active',
      trialUntil: null,
      renewedAt: on('2027-06-15'),
      renewedUntil: on('2027-07-15'),
      nextRenewalAt: on('2027-07-15'),
    })
    expect(orders).toMatchObject([{ status: 'paid', total: price('100.00'), lines: [{ productId: scenario.id }] }])
  })

  test('a canceled trial ends without a charge unless the trial is resumed', async () => {
    const scenario = await subscriptionScenario(trial)
    const canceled = await during(scenario, cancel)
    expect(canceled.events).toEqual(['subscription.canceled_with_grace_period'])
    expect(canceled.subscription).toMatchObject({
      status: 'on_grace_period',
      renewedUntil: inTrial.renewedUntil,
      nextRenewalAt: null,
    })
    expect((await during(scenario, resume)).subscription).toMatchObject(inTrial)
    await cancel(scenario)
    const lapsed = await during(scenario, () => pastMidnight(scenario, '2027-06-15'))
    expect(lapsed.events).toEqual(['subscription.cancellation_grace_period_completed'])
    expect(lapsed.subscription).toMatchObject({ status: 'canceled', endedAt: on('2027-06-15'), trialUntil: null })
    expect(lapsed.orders).toEqual([])
  })

  test('a change during a trial costs nothing, and the first charge after the trial has the new terms', async () => {
    const scenario = await subscriptionScenario(trial)
    const { events, orders } = await changed(scenario, { quantity: 3, ...invoiced })
    expect({ events, orders }).toEqual({ events: [updatedNow], orders: [] })
    await changed(scenario, { price: price('20.00') })
    const end = await during(scenario, () => pastMidnight(scenario, '2027-06-15'))
    expect(end.events).toEqual([updatedOnRenewal, 'order.paid'])
    expect(end.orders.map(netsOf)).toEqual([['60.00']])
  })

  test.each([{}, now, invoiced])(
    'a change with trialUntil begins a trial immediately, even without applyImmediately: %j',
    async (when) => {
      const scenario = await halfOfJune(await subscriptionScenario(june))
      const trialUntil = '2027-07-15T12:00:00Z'
      const { subscription, events, orders } = await changed(scenario, { quantity: 2, trialUntil, ...when })
      const isScheduled = !('applyImmediately' in when)
      expect(events).toEqual(isScheduled ? [updatedNow, scheduled] : [updatedNow])
      expect(orders).toEqual([])
      expect(subscription).toMatchObject({
        status: 'trial',
        trialUntil,
        nextRenewalAt: trialUntil,
        renewedUntil: trialUntil,
        quantity: isScheduled ? 1 : 2,
        scheduledUpdate: isScheduled ? { quantity: 2, effectiveAt: trialUntil } : null,
      })
      const end = await during(scenario, () => clockTo(scenario.key, trialUntil))
      expect(end.events).toEqual([isScheduled ? updatedOnRenewal : renewed, 'order.paid'])
      expect(end.orders.map(netsOf)).toEqual([['200.00']])
      expect(end.subscription).toMatchObject({ status: 'active', renewedUntil: '2027-08-15T12:00:00Z' })
    },
  )

  test('a change can start a trial that ends at the end of the paid period', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const { renewedUntil } = await subscriptionOf(scenario)
    const { subscription } = await changed(scenario, { quantity: 2, trialUntil: renewedUntil, ...now })
    expect(subscription).toMatchObject({ status: 'trial', trialUntil: renewedUntil, nextRenewalAt: renewedUntil })
  })

  test('the end of a trial can be moved, but not into the past', async () => {
    const scenario = await subscriptionScenario(trial)
    const trialUntil = '2027-06-20T00:00:00Z'
    expect((await changed(scenario, { quantity: 1, trialUntil })).events).toEqual([updatedNow])
    await refusedChange(scenario, { quantity: 1, trialUntil: '2027-05-20T00:00:00Z' }, 'trialUntil')
    expect((await during(scenario, () => pastMidnight(scenario, '2027-06-19'))).orders).toEqual([])
    expect((await during(scenario, () => clockTo(scenario.key, trialUntil))).orders).toMatchObject([{ status: 'paid' }])
  })

  test('a subscription is active and in recovery if the first charge after its trial fails', async () => {
    const scenario = await subscriptionScenario(trial)
    await declineMandate(scenario.id, 'insufficient_funds')
    const { subscription, events, orders } = await during(scenario, () => pastMidnight(scenario, '2027-06-15'))
    expect(events).toEqual([renewed, 'order.payment_failed'])
    expect(subscription).toMatchObject({ status: 'active', trialUntil: null })
    expect(orders).toMatchObject([{ status: 'pending' }])
    await declineMandate(scenario.id, null)
    expect((await during(scenario, () => pass(scenario, untilFirstRetry))).events).toEqual(['order.paid'])
  })
})

describe('a cancellation', () => {
  test('a cancellation begins a grace period until the end of the paid period, and the subscription then ends', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const before = await subscriptionOf(scenario)
    const { subscription, events, orders } = await during(scenario, async () => {
      expect(await cancel(scenario)).toMatchObject({ status: 204, body: undefined })
    })
    expect(events).toEqual(['subscription.canceled_with_grace_period'])
    expect(orders).toEqual([])
    expect(subscription).toEqual({
      ...before,
      status: 'on_grace_period',
      cancellationReason: 'merchant_request',
      canceledAt: on('2027-06-16'),
      nextRenewalAt: null,
    })
    for (const query of ['', '?immediately=false']) {
      expect((await during(scenario, () => cancel(scenario, query))).events).toEqual([])
    }
    const lapsed = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(lapsed.events).toEqual(['subscription.cancellation_grace_period_completed'])
    expect(lapsed.subscription).toEqual({ ...subscription, status: 'canceled', endedAt: on('2027-07-01') })
    await refused(scenario, () => resume(scenario), 'subscription_not_resumable')
    for (const query of ['', '?immediately=true'])
      await refused(scenario, () => cancel(scenario, query), 'subscription_not_cancelable')
    expect((await during(scenario, () => pass(scenario, 'P2M'))).orders).toEqual([])
  })

  test('an immediate cancellation ends the subscription at once, even in its grace period', async () => {
    for (const first of [async () => undefined, cancel]) {
      const scenario = await halfOfJune(await subscriptionScenario(june))
      await first(scenario)
      const { canceledAt } = await subscriptionOf(scenario)
      const { subscription, events } = await during(scenario, async () => {
        expect(await cancel(scenario, '?immediately=true')).toMatchObject({ status: 204, body: undefined })
      })
      expect(events).toEqual(['subscription.canceled_immediately'])
      expect(subscription).toMatchObject({
        status: 'canceled',
        cancellationReason: 'merchant_request',
        canceledAt: canceledAt ?? on('2027-06-16'),
        endedAt: on('2027-06-16'),
        nextRenewalAt: null,
      })
      await refused(scenario, () => resume(scenario), 'subscription_not_resumable')
      await refused(scenario, () => cancel(scenario), 'subscription_not_cancelable')
      expect((await during(scenario, () => pass(scenario, 'P2M'))).orders).toEqual([])
    }
  })

  test('resuming a subscription in its grace period restores the subscription as it was before the cancellation', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const before = await subscriptionOf(scenario)
    await cancel(scenario)
    const { subscription, events, orders } = await during(scenario, async () => {
      expect(await resume(scenario)).toMatchObject({ status: 200, body: before })
    })
    expect({ subscription, events, orders }).toEqual({
      subscription: before,
      events: ['subscription.resumed'],
      orders: [],
    })
    await refused(scenario, () => resume(scenario), 'subscription_not_resumable')
    const renewal = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(renewal.events).toEqual([renewed, 'order.paid'])
  })

  test('a cancellation with an invalid query is refused', async () => {
    const scenario = await subscriptionScenario(june)
    await refused(scenario, () => cancel(scenario, '?immediately=perhaps'), 'validation_failed', {
      field: 'immediately',
    })
  })

  test('in a grace period, an immediate change that keeps the billing cycle is accepted, and a change of the billing cycle is refused', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const year = await aPlan(scenario.key, { interval: 'year', basePrice: price('1000.00') })
    const team = await aPlan(scenario.key, { name: 'Team', basePrice: price('300.00') })
    await cancel(scenario)
    await refusedChange(scenario, { quantity: 2 }, 'applyImmediately')
    await refusedChange(scenario, { quantity: 2, anchor: '2027-06-20', ...now }, 'anchor')
    await refusedChange(scenario, { quantity: 2, resetAnchor: true, ...now }, 'resetAnchor')
    await refusedChange(scenario, { subscriptionPlanId: year.id, ...now }, 'subscriptionPlanId')
    await refusedChange(scenario, { price: price('1.00'), ...now }, 'applyImmediately')
    const { subscription, events, orders } = await changed(scenario, { subscriptionPlanId: team.id, ...invoiced })
    expect(events).toEqual([updatedNow, 'order.paid'])
    expect(orders.map(netsOf)).toEqual([['-50.00', '150.00']])
    expect(subscription).toMatchObject({
      status: 'on_grace_period',
      name: 'Team',
      renewedUntil: on('2027-07-01'),
    })
    const parked = await changed(scenario, { quantity: 2, ...now })
    expect(parked).toMatchObject({ events: [updatedNow], orders: [], subscription: { quantity: 2 } })
    const lapsed = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(lapsed).toMatchObject({ orders: [], subscription: { status: 'canceled' } })
  })
})

describe('a paused subscription', () => {
  test('a paused subscription does not renew, and unpausing within the paid period keeps the billing cycle', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const before = await subscriptionOf(scenario)
    const paused = await during(scenario, () => pauseTyped(scenario.id))
    expect(paused.subscription).toEqual({ ...before, status: 'paused', nextRenewalAt: null })
    await pass(scenario, 'P3D')
    expect((await during(scenario, () => unpauseTyped(scenario.id))).subscription).toEqual(before)
    expect((await during(scenario, () => pastMidnight(scenario, '2027-07-01'))).events).toEqual([renewed, 'order.paid'])
  })

  test('a paused subscription accepts a scheduled change, which takes effect after the pause', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    await pauseTyped(scenario.id)
    const { subscription, events } = await changed(scenario, { quantity: 2 })
    expect(events).toEqual([scheduled])
    expect(subscription.scheduledUpdate).toMatchObject({ quantity: 2, effectiveAt: null })
    await unpauseTyped(scenario.id)
    expect(await subscriptionOf(scenario)).toMatchObject({
      quantity: 1,
      scheduledUpdate: { quantity: 2, effectiveAt: on('2027-07-01') },
    })
  })

  test('if the cancellation of a paused subscription is undone, the subscription is still paused and does not renew', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    await pauseTyped(scenario.id)
    const paused = await subscriptionOf(scenario)
    await cancel(scenario)
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'on_grace_period', renewedUntil: on('2027-07-01') })
    const resumed = await during(scenario, resume)
    expect(resumed).toMatchObject({ events: ['subscription.resumed'], orders: [], subscription: paused })
    expect(await during(scenario, () => pass(scenario, 'P2M'))).toMatchObject({
      events: [],
      orders: [],
      subscription: paused,
    })
    const { events, subscription } = await during(scenario, async () => {
      await unpauseTyped(scenario.id)
      await drainTasks()
    })
    expect(events).toEqual([renewed, 'order.paid'])
    expect(subscription).toMatchObject({ status: 'active', cancellationReason: null, canceledAt: null })
  })

  test('unpausing after the end of the paid period begins and charges a new period', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    await pauseTyped(scenario.id)
    expect(await during(scenario, () => pass(scenario, 'P2M'))).toMatchObject({ events: [], orders: [] })
    const { subscription, events, orders } = await during(scenario, async () => {
      await unpauseTyped(scenario.id)
      await drainTasks()
    })
    expect(events).toEqual([renewed, 'order.paid'])
    expect(orders.map(netsOf)).toEqual([['100.00']])
    expect(subscription.renewedUntil).toEqual(on('2027-09-16'))
  })
})

test('a subscription is not found with a key of another storefront or mode', async () => {
  const scenario = await subscriptionScenario(june)
  const another = await aShop()
  const urls = { redirectUrlSuccess: 'https://shop.example/ok', redirectUrlCanceled: 'https://shop.example/no' }
  for (const key of [another.testKey, another.liveKey, scenario.shop.liveKey]) {
    const foreign = { ...scenario, key }
    for (const asking of [
      () => change(foreign, { quantity: 2, ...invoiced }),
      () => cancel(foreign),
      () => cancel(foreign, '?immediately=true'),
      () => resume(foreign),
      () => ask(foreign, 'POST /v1/subscriptions/{id}/billing-update-link', urls),
    ])
      await refused(scenario, asking, 'not_found', { status: 404 })
  }
})
