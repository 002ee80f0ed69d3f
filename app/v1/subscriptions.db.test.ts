import { afterAll, describe, expect, test } from 'vitest'
import { db } from '@/lib/platform/db/db.ts'
import { send } from '@/lib/testing/api.ts'
import { aPlan, aProduct, price } from '@/lib/testing/factories.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { aShop, runDueTasks } from '@/lib/testing/shop.ts'
import {
  ask,
  clockTo,
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf as shownSubscription,
  subscriptionScenario,
  untilFirstRetry,
  withoutPayment,
} from '@/lib/testing/subscription-scenario.ts'
import { pauseTyped, unpauseTyped } from '@/lib/workflows/subscription-change/operations.ts'
import { declineMandate } from '@/lib/workflows/test-helpers/mandates.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const subscriptionOf = async (scenario: Scenario): Promise<Answer> => withoutPayment(await shownSubscription(scenario))

const change = (scenario: Scenario, body: object) => ask(scenario, 'PATCH /v1/subscriptions/{id}', body)
const cancel = (scenario: Scenario, query = '') => ask(scenario, `DELETE /v1/subscriptions/{id}${query}`)
const resume = (scenario: Scenario) => ask(scenario, 'POST /v1/subscriptions/{id}/resume')

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
type Answer = any

async function eventsOf({ shop }: Scenario) {
  const rows = await db().events.findMany({ where: { storefront_id: shop.storefrontId }, orderBy: { id: 'asc' } })
  const events: Answer[] = rows.map(({ body }) => JSON.parse(body))
  return events.filter(({ entityType }) => entityType === 'subscription' || entityType === 'order').slice(2)
}
const nameOf = ({ eventName, reason }: Answer): string => (reason === null ? eventName : `${eventName} (${reason})`)

/**
 * Returns the subscription, the names of the new events, and the new orders. Checks that the object in the last event of each subscription and order equals the
 * response to GET.
 */
async function during(scenario: Scenario, doing: (scenario: Scenario) => Promise<unknown>) {
  const [eventsBefore, ordersBefore] = [(await eventsOf(scenario)).length, (await ordersOf(scenario)).length]
  await doing(scenario)
  const subscription = await subscriptionOf(scenario)
  const update = (await eventsOf(scenario)).slice(eventsBefore)
  for (const { entityType, entityId, object } of new Map(update.map((event) => [event.entityId, event])).values()) {
    const shown = entityType === 'subscription' ? subscription : await get(scenario.key, `/v1/orders/${entityId}`)
    expect(withoutPayment(object)).toEqual(withoutPayment(shown))
  }
  const orders: Answer[] = (await ordersOf(scenario)).slice(ordersBefore)
  return { subscription, events: update.map(nameOf), orders }
}

const changed = (scenario: Scenario, body: object) =>
  during(scenario, async () => {
    const reply = await change(scenario, body)
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    expect(withoutPayment(reply.body)).toEqual(await subscriptionOf(scenario))
  })

async function refused(scenario: Scenario, asking: () => Promise<unknown>, code: string, field?: string) {
  const before = [await eventsOf(scenario), await subscriptionOf(scenario), await ordersOf(scenario)]
  expect(await asking()).toMatchObject({
    status: code === 'not_found' ? 404 : 422,
    body: { code, ...(field !== undefined && { errors: { [field]: [expect.any(String)] } }) },
  })
  expect([await eventsOf(scenario), await subscriptionOf(scenario), await ordersOf(scenario)]).toEqual(before)
}
const refusedChange = (scenario: Scenario, body: object, field: string) =>
  refused(scenario, () => change(scenario, body), 'validation_failed', field)

const netsOf = (order: Answer): string[] => order.lines.map((line: Answer) => line.subtotal.value)
const made = (orders: Answer[]) => orders.map(({ createdAt, total }) => [createdAt, total.value])

const now = { applyImmediately: true }
const invoiced = { applyImmediately: true, invoiceImmediately: true }
const updatedNow = 'subscription.updated (updated_immediately)'
const renewed = 'subscription.updated (renewed)'
const updatedOnRenewal = 'subscription.updated (updated_on_renewal)'
const scheduled = 'subscription.update_scheduled'
const june = { at: '2027-06-01T00:00:00Z' }

/** The test clock runs during a test, so the helper accepts the first two minutes of the day. */
const on = (day: string) => expect.stringMatching(new RegExp(`^${day}T00:0[01]:\\d\\dZ$`))
const pastMidnight = (scenario: Scenario, day: string) => clockTo(scenario.key, `${day}T00:01:00Z`)

async function halfOfJune(scenario: Scenario): Promise<Scenario> {
  await clockTo(scenario.key, '2027-06-16T00:00:00Z')
  return scenario
}

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

  test.each(cases)(
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

  test("a prorated change adds the buyer's tax to the difference", async () => {
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

  test('a cancellation drops the amount deferred to the next renewal, even if the subscription is resumed', async () => {
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

  test('a change stays in effect if its charge fails, and a recovery begins', async () => {
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

describe('a new billing cycle', () => {
  test('a change with resetAnchor begins a billing cycle now, with the full charge less the credit', async () => {
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
    expect(orders.map(netsOf)).toEqual([['-50.00', '80.00']]) // 24 of 30 days are left
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

describe('a scheduled change', () => {
  test('a scheduled change is shown with all future terms, and is applied at the renewal', async () => {
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

  test('a second scheduled change keeps the fields of the first change, except the price if the plan changes', async () => {
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

test.each([{}, now, invoiced])('a change to the current values changes nothing: %j', async (when) => {
  const scenario = await subscriptionScenario(june)
  const before = await subscriptionOf(scenario)
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

describe('a trial', () => {
  const trial = { ...june, item: { trialDays: 14 } }
  const inTrial = {
    status: 'trial',
    renewedAt: null,
    renewedUntil: on('2027-06-15'),
    nextRenewalAt: on('2027-06-15'),
    trialUntil: on('2027-06-15'),
  }

  test('a trial costs nothing until its end, and the day of its end becomes the anchor', async () => {
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
    'a change with trialUntil begins a trial immediately, even if the other fields of the change are scheduled: %j',
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
    await refused(scenario, () => cancel(scenario, '?immediately=perhaps'), 'validation_failed', 'immediately')
  })

  test('a change in a grace period may affect the rest of the period but not the billing cycle', async () => {
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

  test('a paused subscription that is canceled and then resumed is still paused, and does not renew', async () => {
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
      await refused(scenario, asking, 'not_found')
  }
})
