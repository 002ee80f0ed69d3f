import { afterAll, describe, expect, test } from 'vitest'
import { aPlan, price } from '@/lib/testing/factories.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { clockTo, get, pass, subscriptionScenario, untilFirstRetry } from '@/lib/testing/subscription-scenario.ts'
import { declineMandate } from '@/lib/workflows/test-helpers/mandates.ts'
import type { Answer } from '../../lib/testing/shop.ts'
import {
  cancel,
  changed,
  invoiced,
  netsOf,
  now,
  refusedChange,
  resume,
  scheduled,
  updatedNow,
} from '../../lib/testing/subscription-changes.ts'
import {
  during,
  halfOfJune,
  june,
  on,
  pastMidnight,
  renewed,
  subscriptionOf,
} from '../../lib/testing/subscription-events.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

describe('an immediate change is prorated to the cent', () => {
  const month = (value: string) => ({ basePrice: price(value) })
  const year = (value: string) => ({ basePrice: price(value), interval: 'year' })
  const cases: {
    name: string
    plan: object
    quantity?: number
    soldAt: string
    changedAt: string
    to: { plan?: object; quantity?: number }
    credit: string
    charge: string
    delta: string
    next: string
  }[] = [
    {
      name: 'C1: 100 to 300 at half of June',
      plan: month('100.00'),
      soldAt: '2027-06-01',
      changedAt: '2027-06-16',
      to: { plan: month('300.00') },
      credit: '-50.00',
      charge: '150.00',
      delta: '100.00',
      next: '300.00',
    },
    {
      name: 'C2: 100 to 300 after a third of June',
      plan: month('100.00'),
      soldAt: '2027-06-01',
      changedAt: '2027-06-11',
      to: { plan: month('300.00') },
      credit: '-66.67',
      charge: '200.00',
      delta: '133.33',
      next: '300.00',
    },
    {
      name: 'C4: a yearly upgrade after two months',
      plan: year('1000.00'),
      soldAt: '2028-08-01',
      changedAt: '2028-10-01',
      to: { plan: year('3000.00') },
      credit: '-832.88',
      charge: '2498.63',
      delta: '1665.75',
      next: '3000.00',
    },
    {
      name: 'C7: 5 to 20 after one of 30 days',
      plan: month('5.00'),
      soldAt: '2027-06-01',
      changedAt: '2027-06-02',
      to: { plan: month('20.00') },
      credit: '-4.83',
      charge: '19.33',
      delta: '14.50',
      next: '20.00',
    },
    {
      name: 'C8: 10 to 20 at half',
      plan: month('10.00'),
      soldAt: '2027-06-01',
      changedAt: '2027-06-16',
      to: { plan: month('20.00') },
      credit: '-5.00',
      charge: '10.00',
      delta: '5.00',
      next: '20.00',
    },
    {
      name: 'C9: 15 February to 15 March is 28 days, 14 are left on 1 March',
      plan: month('10.00'),
      soldAt: '2027-02-15',
      changedAt: '2027-03-01',
      to: { quantity: 2 },
      credit: '-5.00',
      charge: '10.00',
      delta: '5.00',
      next: '20.00',
    },
    {
      name: 'C11: by the second, not by the day',
      plan: month('30.00'),
      soldAt: '2027-06-01',
      changedAt: '2027-06-11T12:00:00Z',
      to: { quantity: 2 },
      credit: '-19.50',
      charge: '39.00',
      delta: '19.50',
      next: '60.00',
    },
    {
      name: 'C12: 3 seats to 5 at half of June',
      plan: month('10.00'),
      quantity: 3,
      soldAt: '2027-06-01',
      changedAt: '2027-06-16',
      to: { quantity: 5 },
      credit: '-15.00',
      charge: '25.00',
      delta: '10.00',
      next: '50.00',
    },
  ]
  const midnight = (day: string) => (day.includes('T') ? day : `${day}T00:00:00Z`)

  async function upTo({ plan, quantity = 1, soldAt, changedAt, to }: (typeof cases)[number]) {
    const scenario = await subscriptionScenario({ at: midnight(soldAt), plan, item: { quantity } })
    const target = to.plan && { subscriptionPlanId: (await aPlan(scenario.key, { name: 'Team', ...to.plan })).id }
    await clockTo(scenario.key, midnight(changedAt))
    return { scenario, body: { ...target, ...(to.quantity && { quantity: to.quantity }) } }
  }

  test.each(cases)('an immediate change is prorated to the cent and invoiced at once: $name', async (vector) => {
    const { scenario, body } = await upTo(vector)
    const before = await subscriptionOf(scenario)
    const { subscription, events, orders } = await changed(scenario, { ...body, ...invoiced })
    expect(events).toEqual([updatedNow, 'order.paid'])
    expect(orders).toMatchObject([
      { status: 'paid', paymentMethod: 'creditcard', metadata: null, invoiceNumber: expect.any(String) },
    ])
    const [order] = orders
    expect(netsOf(order)).toEqual([vector.credit, vector.charge])
    expect([order.subtotal.value, order.total.value]).toEqual([vector.delta, vector.delta])
    for (const line of order.lines)
      expect(line).toMatchObject({ quantity: 1, productType: 'subscription', productId: scenario.id })
    expect(order.lines.map(({ description }: Answer) => description)).toEqual([
      expect.stringMatching(/^Unused time on \d+ × Pro, \d+( \w+)?( \d{4})? ?– ?\d+ \w+ \d{4}$/),
      expect.stringMatching(new RegExp(`^Remaining time on ${subscription.quantity} × ${subscription.name}, `)),
    ])
    expect(subscription).toMatchObject({ renewedUntil: before.renewedUntil, renewedAt: null, scheduledUpdate: null })
    const renewal = await during(scenario, () => clockTo(scenario.key, before.renewedUntil))
    expect(renewal.orders.map(netsOf)).toEqual([[vector.next]])
  })

  test.each(cases.filter(({ name }) => /^C(?:2|4|12):/.test(name)))(
    'an immediate change is prorated to the cent and billed with the next renewal: $name',
    async (vector) => {
      const { scenario, body } = await upTo(vector)
      const { subscription, events, orders } = await changed(scenario, { ...body, ...now })
      expect({ events, orders }).toEqual({ events: [updatedNow], orders: [] })
      const renewal = await during(scenario, () => clockTo(scenario.key, subscription.renewedUntil))
      expect(renewal.events).toEqual([renewed, 'order.paid'])
      expect(renewal.orders.map(netsOf)).toEqual([[vector.next, vector.credit, vector.charge]])
      const next = await during(scenario, () => clockTo(scenario.key, renewal.subscription.renewedUntil))
      expect(next.orders.map(netsOf)).toEqual([[vector.next]])
    },
  )

  test.each([now, invoiced])(
    'a change in mid-month from 100 per month to 1,000 per year begins a yearly period immediately: %j',
    async (when) => {
      const scenario = await halfOfJune(await subscriptionScenario(june))
      const { id } = await aPlan(scenario.key, { basePrice: price('1000.00'), interval: 'year' })
      const { subscription, events, orders } = await changed(scenario, { subscriptionPlanId: id, ...when })
      expect(events).toEqual([updatedNow, 'order.paid'])
      expect(orders.map((order) => [order.total.value, ...netsOf(order)])).toEqual([['950.00', '-50.00', '1000.00']])
      expect(subscription).toMatchObject({ interval: 'year', renewedUntil: on('2028-06-16') })
      expect((await during(scenario, () => pass(scenario, 'P366D'))).orders.map(netsOf)).toEqual([['1000.00']])
      expect(await subscriptionOf(scenario)).toMatchObject({ renewedUntil: on('2029-06-16') })
    },
  )

  test("the charge of a prorated change is the price difference plus the buyer's tax", async () => {
    const scenario = await halfOfJune(await subscriptionScenario({ ...june, buyer: { country: 'NL', taxId: '' } }))
    const { orders } = await changed(scenario, { price: price('300.00'), ...invoiced })
    expect(orders).toMatchObject([
      {
        subtotal: price('100.00'),
        total: price('121.00'),
        taxSummary: [{ taxRate: { name: 'VAT', percentage: 21 }, amount: price('21.00') }],
        lines: [{ total: price('-60.50') }, { total: price('181.50') }],
      },
    ])
  })

  test('a second change prorates the paid amount and the amount deferred to the next renewal', async () => {
    const scenario = await halfOfJune(await subscriptionScenario({ ...june, item: { price: price('40.00') } }))
    expect(await subscriptionOf(scenario)).toMatchObject({ basePrice: price('40.00') })
    await changed(scenario, { price: price('60.00'), ...now })
    const { orders } = await changed(scenario, { price: price('80.00'), ...invoiced })
    expect(orders.map(netsOf)).toEqual([['-30.00', '40.00']])
    const renewal = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(renewal.orders.map(netsOf)).toEqual([['80.00', '-20.00', '30.00']])
  })

  test('a change is refused if its credit exceeds the charge, but can be scheduled for the renewal', async () => {
    const scenario = await halfOfJune(await subscriptionScenario({ ...june, plan: { basePrice: price('20.00') } }))
    for (const when of [now, invoiced])
      await refusedChange(scenario, { price: price('5.00'), ...when }, 'applyImmediately')
    expect((await changed(scenario, { price: price('5.00') })).events).toEqual([scheduled])
    const renewal = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(renewal.orders.map(netsOf)).toEqual([['5.00']])
  })

  test('a change to a plan with the same price creates no order', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const { id } = await aPlan(scenario.key, { name: 'The same in blue', basePrice: price('100.00') })
    const { subscription, events, orders } = await changed(scenario, { subscriptionPlanId: id, ...invoiced })
    expect({ events, orders }).toEqual({ events: [updatedNow], orders: [] })
    expect(subscription).toMatchObject({ subscriptionPlanId: id, name: 'The same in blue' })
  })

  test.each([{ price: price('300.00') }, { price: price('5.00') }])(
    'a change without proration has neither a charge nor a credit: %j',
    async (body) => {
      const scenario = await halfOfJune(await subscriptionScenario(june))
      const { events, orders } = await changed(scenario, { ...body, ...invoiced, prorate: false })
      expect({ events, orders }).toEqual({ events: [updatedNow], orders: [] })
      const renewal = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
      expect(renewal.orders.map(netsOf)).toEqual([[body.price.value]])
    },
  )

  test('a cancellation drops the amount deferred to the next renewal, and resuming the subscription does not restore this amount', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    await changed(scenario, { price: price('300.00'), ...now })
    await cancel(scenario)
    await resume(scenario)
    const renewal = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(renewal.orders.map(netsOf)).toEqual([['300.00']])
  })

  test('a change of a price that includes tax is prorated on the gross amount', async () => {
    const plan = { basePrice: price('121.00'), taxBehavior: 'inclusive' }
    const scenario = await halfOfJune(
      await subscriptionScenario({ ...june, plan, buyer: { country: 'NL', taxId: '' } }),
    )
    expect(await subscriptionOf(scenario)).toMatchObject({ basePrice: price('121.00') })
    const { subscription, orders } = await changed(scenario, { price: price('242.00'), ...invoiced })
    expect(subscription).toMatchObject({ basePrice: price('242.00') })
    expect(orders).toMatchObject([
      {
        subtotal: price('50.00'),
        total: price('60.50'),
        lines: [{ total: price('-60.50') }, { total: price('121.00') }],
      },
    ])
    const exclusive = await aPlan(scenario.key)
    await refusedChange(scenario, { subscriptionPlanId: exclusive.id }, 'subscriptionPlanId')
    const renewal = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(renewal.orders).toMatchObject([{ subtotal: price('200.00'), total: price('242.00') }])
  })

  test('a change of a subscription in dollars is charged in dollars', async () => {
    const scenario = await halfOfJune(
      await subscriptionScenario({ ...june, buyer: { country: 'US', currency: 'USD', taxId: 'US1' } }),
    )
    const usd = (value: string) => price(value, 'USD')
    expect(await subscriptionOf(scenario)).toMatchObject({ basePrice: usd('108.50') })
    await refusedChange(scenario, { price: price('200.00') }, 'price.currency')
    const { id } = await aPlan(scenario.key, { name: 'Team', basePrice: price('200.00') })
    const { subscription, orders } = await changed(scenario, { subscriptionPlanId: id, ...invoiced })
    expect(subscription).toMatchObject({ basePrice: usd('217.00') })
    expect(orders).toMatchObject([
      { total: usd('54.25'), lines: [{ subtotal: usd('-54.25') }, { subtotal: usd('108.50') }] },
    ])
    expect((await changed(scenario, { price: usd('300.00') })).subscription.scheduledUpdate).toMatchObject({
      subscriptionPlanId: id,
      basePrice: usd('300.00'),
    })
  })

  test('renewals of a free subscription are orders of 0.00 that are paid immediately, and a change to a price above zero is charged', async () => {
    const scenario = await subscriptionScenario({ ...june, plan: { basePrice: price('0.00') } })
    const renewal = await during(scenario, () => pastMidnight(scenario, '2027-07-01'))
    expect(renewal.events).toEqual([renewed, 'order.paid'])
    expect(renewal.orders).toMatchObject([{ status: 'paid', invoiceNumber: null, total: price('0.00') }])
    await clockTo(scenario.key, '2027-07-16T12:00:00Z')
    const { orders } = await changed(scenario, { price: price('31.00'), ...invoiced })
    expect(orders.map(netsOf)).toEqual([['15.50']])
  })

  test('if the charge of a change fails, the change stays in effect and a recovery begins', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    await declineMandate(scenario.id, 'insufficient_funds')
    const { subscription, events, orders } = await changed(scenario, { price: price('300.00'), ...invoiced })
    expect(events).toEqual([updatedNow, 'order.payment_failed'])
    expect(subscription).toMatchObject({ status: 'active', basePrice: price('300.00') })
    expect(orders).toMatchObject([{ status: 'pending', invoiceNumber: null, total: price('100.00') }])
    await declineMandate(scenario.id, null)
    const retry = await during(scenario, () => pass(scenario, untilFirstRetry))
    expect(retry.events).toEqual(['order.paid'])
    expect(await get(scenario.key, `/v1/orders/${orders[0].id}`)).toMatchObject({ status: 'paid' })
  })
})
