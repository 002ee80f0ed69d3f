import { afterAll, describe, expect, test } from 'vitest'
import { aPlan, price } from '@/lib/testing/factories.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { pass, subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'
import type { Answer } from '../../lib/testing/shop.ts'
import {
  changed,
  invoiced,
  netsOf,
  now,
  refusedChange,
  scheduled,
  updatedNow,
} from '../../lib/testing/subscription-changes.ts'
import { during, halfOfJune, june, on, pastMidnight } from '../../lib/testing/subscription-events.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const made = (orders: Answer[]) => orders.map(({ createdAt, total }) => [createdAt, total.value])

describe('a new billing cycle', () => {
  test('a change with resetAnchor begins a billing cycle now, charges a full period, and credits the unused time', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const { subscription, events, orders } = await changed(scenario, { quantity: 1, resetAnchor: true, ...now })
    expect(events).toEqual([updatedNow, 'order.paid'])
    expect(orders.map(netsOf)).toEqual([['-50.00', '100.00']])
    expect(subscription).toMatchObject({ renewedUntil: on('2027-07-16') })
    const again = await changed(scenario, { quantity: 1, resetAnchor: true, ...now, prorate: false })
    expect(again.orders.map(netsOf)).toEqual([['100.00']])
  })

  test('a scheduled change with resetAnchor begins a billing cycle at the renewal', async () => {
    const scenario = await subscriptionScenario({ at: '2027-01-31T00:00:00Z' })
    const { subscription, events } = await changed(scenario, { quantity: 2, resetAnchor: true })
    expect(events).toEqual([scheduled])
    expect(subscription.scheduledUpdate).toMatchObject({ quantity: 2, effectiveAt: on('2027-02-28') })
    const { orders } = await during(scenario, () => pastMidnight(scenario, '2027-03-28'))
    expect(made(orders)).toEqual([
      [on('2027-02-28'), '200.00'],
      [on('2027-03-28'), '200.00'],
    ])
  })

  test('an interval change with proration is refused if the buyer would get money back', async () => {
    const scenario = await halfOfJune(
      await subscriptionScenario({ ...june, plan: { interval: 'year', basePrice: price('1000.00') } }),
    )
    const { id } = await aPlan(scenario.key, { basePrice: price('100.00') })
    await refusedChange(scenario, { subscriptionPlanId: id, ...now }, 'applyImmediately')
    const { subscription, orders } = await changed(scenario, { subscriptionPlanId: id, ...now, prorate: false })
    expect(orders.map(netsOf)).toEqual([['100.00']])
    expect(subscription).toMatchObject({ interval: 'month', renewedUntil: on('2027-07-16') })
  })

  test('a change of the billing interval can take effect at the renewal', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const { id } = await aPlan(scenario.key, { basePrice: price('1000.00'), interval: 'year' })
    const { subscription, orders } = await changed(scenario, { subscriptionPlanId: id })
    expect(orders).toEqual([])
    expect(subscription).toMatchObject({ interval: 'month', scheduledUpdate: { interval: 'year', intervalCount: 1 } })
    const renewal = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(renewal.subscription).toMatchObject({ interval: 'year', renewedUntil: on('2028-07-01') })
    expect(renewal.orders.map(netsOf)).toEqual([['1000.00']])
  })

  test('a later anchor extends the current period to the anchor day, and later periods begin on this day', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const body = { quantity: 1, anchor: '2027-07-10' }
    const { subscription, events, orders } = await changed(scenario, { ...body, ...invoiced })
    expect(events).toEqual([updatedNow, 'order.paid'])
    expect(orders.map(netsOf)).toEqual([['-50.00', '80.00']]) // 80.00 is the charge for 24 of 30 days
    expect(subscription).toMatchObject({
      renewedUntil: on('2027-07-10'),
      nextRenewalAt: on('2027-07-10'),
    })
    const later = await during(scenario, () => pastMidnight(scenario, '2027-08-10'))
    expect(made(later.orders)).toEqual([
      [on('2027-07-10'), '100.00'],
      [on('2027-08-10'), '100.00'],
    ])
  })

  test('an earlier anchor with proration is refused if the buyer would get money back', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const body = { quantity: 1, anchor: '2027-06-20' }
    await refusedChange(scenario, { ...body, ...now }, 'applyImmediately')
    const { events, orders } = await changed(scenario, { ...body, ...now, prorate: false })
    expect({ events, orders }).toEqual({ events: [updatedNow], orders: [] })
    const { orders: later } = await during(scenario, () => pastMidnight(scenario, '2027-07-20'))
    expect(made(later)).toEqual([
      [on('2027-06-20'), '100.00'],
      [on('2027-07-20'), '100.00'],
    ])
  })

  test('an anchor in a scheduled change takes effect at the renewal', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const { subscription, events } = await changed(scenario, { quantity: 1, anchor: '2027-07-11' })
    expect(events).toEqual([scheduled])
    expect(subscription).toMatchObject({ renewedUntil: on('2027-07-01'), scheduledUpdate: { quantity: 1 } })
    const { orders } = await during(scenario, () => pastMidnight(scenario, '2027-08-11'))
    expect(made(orders)).toEqual([
      [on('2027-07-01'), '32.26'], // 10 of 31 days
      [on('2027-07-11'), '100.00'],
      [on('2027-08-11'), '100.00'],
    ])
  })

  test.each(['2027-06-16', '2027-06-15', '2027-07-17', '2028-06-16'])('an anchor of %s is refused', async (anchor) => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    for (const when of [{}, now]) await refusedChange(scenario, { quantity: 1, anchor, ...when }, 'anchor')
    await pass(scenario, 'PT12H') // the anchor day has begun, so it is not in the future
    await refusedChange(scenario, { quantity: 1, anchor: '2027-06-16' }, 'anchor')
  })
})
