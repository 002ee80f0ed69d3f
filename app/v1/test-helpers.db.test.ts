import { afterEach, describe, expect, test } from 'vitest'
import { listEmails } from '@/lib/modules/emails/operations.ts'
import { failureReasons } from '@/lib/modules/payments/rules/failure.ts'
import { db } from '@/lib/platform/db/db.ts'
import { send } from '@/lib/testing/api.ts'
import { aCheckout, aPlan, price } from '@/lib/testing/factories.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { aShop, tokenOf } from '@/lib/testing/shop.ts'
import {
  ask,
  clockTo,
  get,
  ordersOf,
  pass,
  type Scenario,
  settle,
  subscriptionOf,
  subscriptionScenario,
  untilFirstRetry,
} from '@/lib/testing/subscription-scenario.ts'
import { providerLedger } from '@/lib/workflows/reconciliation/provider-ledger.ts'
import { submit } from '@/lib/workflows/sale/hosted.ts'
import { pause } from '@/lib/workflows/subscription-change/operations.ts'
import { activateMandate, declineMandate } from '@/lib/workflows/test-helpers/mandates.ts'
import { chooseOutcome } from '@/lib/workflows/test-payment-page/hosted.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const forwardPath = '/v1/test-helpers/subscriptions/{id}/fast-forward-renewal'
const forward = (life: Scenario, body?: object) => ask(life, `POST ${forwardPath}`, body)
const simulatePath = (orderId: string) => `/v1/test-helpers/orders/${orderId}/simulate-payment`
const simulate = (life: Scenario, orderId: string, body: object) => ask(life, `POST ${simulatePath(orderId)}`, body)
const paid = { paymentStatus: 'paid' }
const failed = (failureReason?: string) => ({ paymentStatus: 'failed', ...(failureReason && { failureReason }) })

/** An order, or an event's object, as the API returned it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
type Answer = any

/** The events of a storefront's subscription and orders since the sale, the oldest first. */
async function eventsOf({ shop }: Scenario) {
  const rows = await db().events.findMany({ where: { storefront_id: shop.storefrontId }, orderBy: { id: 'asc' } })
  const events: Answer[] = rows.map(({ body }) => JSON.parse(body))
  return events.filter(({ entityType }) => entityType === 'subscription' || entityType === 'order').slice(2)
}
const nameOf = ({ eventName, reason }: Answer): string => (reason === null ? eventName : `${eventName} (${reason})`)

/** Runs `doing`. Returns the subscription after that, the names of the events, and its orders, the last one first. */
async function during(life: Scenario, doing: () => Promise<unknown>) {
  const before = (await eventsOf(life)).length
  await doing()
  const subscription = await subscriptionOf(life)
  const update = (await eventsOf(life)).slice(before)
  for (const { entityType, entityId, object } of new Map(update.map((event) => [event.entityId, event])).values()) {
    expect(object).toEqual(entityType === 'subscription' ? subscription : await get(life.key, `/v1/orders/${entityId}`))
  }
  const [order]: Answer[] = (await ordersOf(life)).slice(1).reverse()
  return { subscription, events: update.map(nameOf), order }
}

/** A request that is refused and changes nothing. */
async function refused(life: Scenario, asking: () => Promise<unknown>, status: number, code: string, field?: string) {
  const before = [await eventsOf(life), await subscriptionOf(life), await ordersOf(life)]
  const errors = { [field ?? '']: [expect.any(String)] }
  expect(await asking()).toMatchObject({ status, body: { code, ...(field !== undefined && { errors }) } })
  expect([await eventsOf(life), await subscriptionOf(life), await ordersOf(life)]).toEqual(before)
}
const invalid = (life: Scenario, asking: () => Promise<unknown>, field: string) =>
  refused(life, asking, 422, 'validation_failed', field)

const mailsOf = async ({ shop }: Scenario) => (await listEmails(shop.storefrontId)).reverse()
const attemptsAt = async (orderId: string) =>
  (await providerLedger(orderId)).map(({ createdAt, status }) => [dayOf(createdAt), status])
const dayOf = (moment: Date | string) => new Date(moment).toISOString().slice(0, 10)

const renewed = 'subscription.updated (renewed)'
const june = { at: '2027-06-01T00:00:00Z' }
const halfOfJune = async (life: Scenario): Promise<Scenario> => {
  await clockTo(life.key, '2027-06-16T00:00:00Z')
  return life
}
/** A storefront's clock runs during a test: within a minute of midnight counts as that day. */
const on = (day: string) => expect.stringMatching(new RegExp(`^${day}T00:0[01]:\\d\\dZ$`))
const pastMidnight = (life: Scenario, day: string) => clockTo(life.key, `${day}T00:01:00Z`)
/** Renewed by the clock on 1 July. */
const renewal = (life: Scenario) => during(life, () => pastMidnight(life, '2027-07-01'))

/** As `subscriptionScenario`, with the buyer's choice on the test payment page. */
async function aSale({ paymentMethod = 'creditcard', mandate = 'valid' }): Promise<Scenario> {
  const shop = await aShop(june)
  const key = shop.testKey
  const { id: planId } = await aPlan(key, { basePrice: price('100.00') })
  const checkout = await aCheckout(key, planId)
  const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'DE', taxId: 'DE1', paymentMethod }
  const visitor = { acceptLanguage: 'en', header: () => null }
  const next = await submit(tokenOf(checkout.links.checkoutUrl.href), new URLSearchParams(buyer), visitor)
  await chooseOutcome(tokenOf(next?.redirectTo ?? ''), new URLSearchParams({ outcome: 'paid', mandate }))
  await settle()
  const { data } = await get(key, '/v1/subscriptions')
  return { shop, key, planId, id: data[0].id, customerId: data[0].customerId }
}
/** Renews by direct debit, which takes its time. */
const directDebitScenario = () => subscriptionScenario({ ...june, buyer: { paymentMethod: 'ideal' } })

describe('a fast-forward', () => {
  test.each([undefined, {}])('without an outcome moves the cycle on; its payment waits: %j', async (body) => {
    const life = await halfOfJune(await subscriptionScenario(june))
    const before = await subscriptionOf(life)
    const { subscription, events, order } = await during(life, async () => {
      const reply = await send(`POST ${forwardPath.replace('{id}', life.id)}`, { key: life.key, body })
      expect(reply).toMatchObject({ status: 200, body: before })
      expect(await subscriptionOf(life)).toEqual(before) // it runs from a queue, a few seconds later
      expect(await eventsOf(life)).toEqual([])
      await settle()
    })
    expect(events).toEqual([renewed])
    expect(subscription).toEqual({
      ...before,
      renewedAt: on('2027-06-16'),
      renewedUntil: on('2027-08-01'),
      nextRenewalAt: on('2027-08-01'),
    })
    expect(order).toMatchObject({
      status: 'pending',
      paymentMethod: 'creditcard',
      invoiceNumber: null,
      total: price('100.00'),
      createdAt: on('2027-06-16'),
    })
    expect(dayOf((await get(life.key, '/v1/test-helpers/clock')).now)).toBe('2027-06-16')
    expect((await during(life, () => pass(life, 'P20D'))).events).toEqual([])
    const settled = await during(life, () => simulate(life, order.id, paid))
    expect(settled).toMatchObject({ events: ['order.paid'], order: { id: order.id, status: 'paid' } })
    expect(settled.order.invoiceNumber).toMatch(/^TEST-INV-2027-/)
    expect(await providerLedger(order.id)).toEqual([])
    const next = await during(life, () => pastMidnight(life, '2027-08-01'))
    expect(next.events).toEqual([renewed, 'order.paid'])
    expect(next.subscription).toMatchObject({ renewedAt: on('2027-08-01'), renewedUntil: on('2027-09-01') })
  })

  test('that is paid is paid, at no provider', async () => {
    const life = await halfOfJune(await subscriptionScenario(june))
    const { events, order } = await during(life, () => forward(life, paid))
    expect(events).toEqual([renewed, 'order.paid'])
    expect(order).toMatchObject({ status: 'paid', total: price('100.00') })
    expect(await providerLedger(order.id)).toEqual([])
  })

  const soft = ['insufficient_funds', 'temporary_decline', 'general_failure']
  test.each([undefined, ...failureReasons])('that fails begins a recovery, soft or hard: %s', async (reason) => {
    const life = await halfOfJune(await subscriptionScenario(june))
    const { subscription, events, order } = await during(life, () => forward(life, failed(reason)))
    expect(events).toEqual([renewed, 'order.payment_failed'])
    expect(subscription).toMatchObject({ status: 'active', renewedUntil: on('2027-08-01') })
    expect(order).toMatchObject({ status: 'pending', invoiceNumber: null })
    const isSoft = reason === undefined || soft.includes(reason)
    expect(await mailsOf(life)).toMatchObject([
      { kind: isSoft ? 'payment_failed' : 'payment_method_needed', to: 'ada@example.com', createdAt: expect.any(Date) },
    ])
  })

  test('applies what is scheduled', async () => {
    const life = await halfOfJune(await subscriptionScenario(june))
    await ask(life, 'PATCH /v1/subscriptions/{id}', { quantity: 2 })
    const { subscription, events, order } = await during(life, () => forward(life, paid))
    expect(events).toEqual(['subscription.updated (updated_on_renewal)', 'order.paid'])
    expect(subscription).toMatchObject({ quantity: 2, scheduledUpdate: null })
    expect(order).toMatchObject({ total: price('200.00') })
  })

  test('again and again bills one period each', async () => {
    const life = await subscriptionScenario({ at: '2027-01-31T00:00:00Z' })
    for (const end of ['2027-03-31', '2027-04-30', '2027-05-31']) {
      expect((await during(life, () => forward(life, paid))).subscription).toMatchObject({ renewedUntil: on(end) })
    }
    expect((await during(life, () => pastMidnight(life, '2027-05-30'))).events).toEqual([])
    expect((await during(life, () => pastMidnight(life, '2027-05-31'))).events).toEqual([renewed, 'order.paid'])
  })

  test('has no effect if its period is billed before it runs', async () => {
    const life = await halfOfJune(await subscriptionScenario(june))
    const { subscription, events } = await during(life, async () => {
      await send(`POST ${forwardPath.replace('{id}', life.id)}`, { key: life.key, body: paid })
      await pastMidnight(life, '2027-07-01')
    })
    expect(events).toEqual([renewed, 'order.paid'])
    expect(subscription).toMatchObject({ renewedUntil: on('2027-08-01') })
    expect((await forward(life, paid)).status).toBe(200)
  })

  test('is one at a time: queued, awaiting its payment, or awaiting recovery', async () => {
    const life = await halfOfJune(await subscriptionScenario(june))
    const busy = () => refused(life, () => forward(life, paid), 409, 'already_in_flight')
    const path = `POST ${forwardPath.replace('{id}', life.id)}`
    expect((await send(path, { key: life.key })).status).toBe(200)
    expect(await send(path, { key: life.key })).toMatchObject({ status: 409, body: { code: 'already_in_flight' } })
    await settle()
    await busy()
    const [, order] = await ordersOf(life)
    await simulate(life, order.id, failed())
    await busy()
    await pass(life, untilFirstRetry)
    await simulate(life, order.id, paid)
    expect((await forward(life, paid)).status).toBe(200)
  })

  test('makes no second renewal beside a recovery that was not begun by a helper', async () => {
    const life = await subscriptionScenario(june)
    await declineMandate(life.id, 'insufficient_funds')
    await renewal(life)
    await refused(life, () => forward(life, paid), 409, 'already_in_flight')
    await declineMandate(life.id, null)
    await pass(life, untilFirstRetry)
    expect((await during(life, () => forward(life, paid))).events).toEqual([renewed, 'order.paid'])
  })

  test.each<[field: string, body: object]>([
    ['paymentStatus', { paymentStatus: 'pending' }],
    ['failureReason', { paymentStatus: 'failed', failureReason: 'bad_mood' }],
    ['failureReason', { paymentStatus: 'paid', failureReason: 'card_expired' }],
    ['failureReason', { failureReason: 'card_expired' }],
  ])('is refused on %s: %j', async (field, body) => {
    const life = await subscriptionScenario(june)
    await invalid(life, () => forward(life, body), field)
  })

  test('needs an active subscription with a next renewal', async () => {
    const lives = [
      await subscriptionScenario({ ...june, item: { trialDays: 14 } }),
      await aSale({ paymentMethod: 'directdebit' }), // not settled yet: created
      await subscriptionScenario(june),
      await subscriptionScenario(june),
      await subscriptionScenario(june),
    ]
    const [, , grace, canceled, paused] = lives
    if (!grace || !canceled || !paused) throw new Error('a life is missing')
    await ask(grace, 'DELETE /v1/subscriptions/{id}')
    await ask(canceled, 'DELETE /v1/subscriptions/{id}?immediately=true')
    await pause(paused.id)
    const states = await Promise.all(lives.map(async (life) => (await subscriptionOf(life)).status))
    expect(states).toEqual(['trial', 'created', 'on_grace_period', 'canceled', 'paused'])
    for (const life of lives) await refused(life, () => forward(life, paid), 422, 'subscription_not_renewable')
  })

  test('is for the test key of its own storefront', async () => {
    const life = await subscriptionScenario(june)
    const another = await aShop()
    for (const key of [life.shop.liveKey, another.liveKey])
      await refused(life, () => forward({ ...life, key }, paid), 403, 'test_mode_only')
    await refused(life, () => forward({ ...life, key: another.testKey }, paid), 404, 'not_found')
  })
})

describe('a payment method that is still pending', () => {
  test('lets the cycle move on, and pays what waited once it is active', async () => {
    const life = await aSale({ mandate: 'pending' })
    expect(await subscriptionOf(life)).toMatchObject({ status: 'active', mandate: { method: 'card' } })
    const { events, order } = await renewal(life)
    expect(events).toEqual([renewed])
    expect(order).toMatchObject({ status: 'pending' })
    expect(await providerLedger(order.id)).toEqual([])
    const active = await during(life, async () => {
      await activateMandate(life.id)
      await settle()
    })
    expect(active).toMatchObject({ events: ['order.paid'], order: { id: order.id, status: 'paid' } })
    await expect(activateMandate(life.id)).rejects.toMatchObject({ code: 'mandate_not_pending' })
  })

  test('can be fast-forwarded but not paid; its order stays pending until it is simulated', async () => {
    const life = await halfOfJune(await aSale({ mandate: 'pending' }))
    await invalid(life, () => forward(life, paid), 'paymentStatus')
    const { subscription, events, order } = await during(life, () => forward(life))
    expect(events).toEqual([renewed])
    expect(subscription).toMatchObject({ renewedUntil: on('2027-08-01') })
    await invalid(life, () => simulate(life, order.id, paid), 'paymentStatus')
    const active = await during(life, async () => {
      await activateMandate(life.id)
      await settle()
    })
    expect(active).toMatchObject({ events: [], order: { status: 'pending' } })
    expect(await providerLedger(order.id)).toEqual([])
    expect((await during(life, () => simulate(life, order.id, paid))).events).toEqual(['order.paid'])
  })

  test.each(['fast-forward', 'simulation'])('can fail by a %s, and is recovered when it is active', async (helper) => {
    const life = await halfOfJune(await aSale({ mandate: 'pending' }))
    const { events, order } = await during(life, async () => {
      if (helper === 'fast-forward') return forward(life, failed('insufficient_funds'))
      await forward(life)
      const [, waiting] = await ordersOf(life)
      return simulate(life, waiting.id, failed('insufficient_funds'))
    })
    expect(events).toEqual([renewed, 'order.payment_failed'])
    const active = await during(life, async () => {
      await activateMandate(life.id)
      await settle()
    })
    expect(active).toMatchObject({ events: ['order.paid'], order: { id: order.id, status: 'paid' } })
  })
})

describe('a direct debit on a saved method', () => {
  test('settles without a helper 10 to 15 minutes after it was made', async () => {
    const life = await directDebitScenario()
    await clockTo(life.key, (await subscriptionOf(life)).renewedUntil)
    const [, order] = await ordersOf(life)
    expect(order).toMatchObject({ status: 'pending', paymentMethod: 'directdebit' })
    expect((await during(life, () => pass(life, 'PT9M'))).events).toEqual([])
    expect(await during(life, () => pass(life, 'PT6M'))).toMatchObject({
      events: ['order.paid'],
      order: { id: order.id, status: 'paid' },
    })
  })

  test('takes an outcome before that, once', async () => {
    const life = await directDebitScenario()
    const { order } = await renewal(life)
    const reply = await send(`POST ${simulatePath(order.id)}`, { key: life.key, body: paid })
    expect(reply).toMatchObject({ status: 200, body: order })
    expect(await get(life.key, `/v1/orders/${order.id}`)).toEqual(order) // a few seconds later
    expect(await send(`POST ${simulatePath(order.id)}`, { key: life.key, body: failed() })).toMatchObject({
      status: 409,
      body: { code: 'already_in_flight' },
    })
    expect((await during(life, settle)).events).toEqual(['order.paid'])
    expect((await during(life, () => pass(life, 'P1D'))).events).toEqual([])
    for (const body of [paid, failed()]) await invalid(life, () => simulate(life, order.id, body), 'orderId')
  })

  test('that is made to fail is recovered by attempts that wait to be simulated', async () => {
    const life = await directDebitScenario()
    const { order } = await renewal(life)
    const failure = await during(life, () => simulate(life, order.id, failed('insufficient_funds')))
    expect(failure.events).toEqual(['order.payment_failed'])
    for (const body of [paid, failed()]) await invalid(life, () => simulate(life, order.id, body), 'orderId')
    expect(await attemptsAt(order.id)).toEqual([['2027-07-01', 'failed']])
    expect((await during(life, () => pass(life, `${untilFirstRetry}T1H`))).events).toEqual([])
    expect((await during(life, () => simulate(life, order.id, paid))).events).toEqual(['order.paid'])
    expect(await attemptsAt(order.id)).toEqual([['2027-07-01', 'failed']])
  })

  test('of a change that is invoiced at once takes an outcome too', async () => {
    const life = await halfOfJune(await directDebitScenario())
    const body = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
    await ask(life, 'PATCH /v1/subscriptions/{id}', body)
    const [, order] = await ordersOf(life)
    expect(order).toMatchObject({ status: 'pending', total: price('50.00') })
    const { subscription, events } = await during(life, () => simulate(life, order.id, failed('account_closed')))
    expect(events).toEqual(['order.payment_failed'])
    expect(subscription).toMatchObject({ status: 'active', quantity: 2 })
  })
})

describe('a simulation is refused', () => {
  test('when nothing on a saved method is pending', async () => {
    const card = await subscriptionScenario(june)
    const [first] = await ordersOf(card)
    await invalid(card, () => simulate(card, first.id, paid), 'orderId')
    const { order } = await renewal(card)
    await invalid(card, () => simulate(card, order.id, failed()), 'orderId')
    const unsettled = await aSale({ paymentMethod: 'directdebit' })
    const [sale] = await ordersOf(unsettled)
    expect(sale).toMatchObject({ status: 'pending' })
    await invalid(unsettled, () => simulate(unsettled, sale.id, paid), 'orderId')
  })

  test.each<[field: string, body: object]>([
    ['paymentStatus', {}],
    ['paymentStatus', { paymentStatus: 'expired' }],
    ['failureReason', { paymentStatus: 'failed', failureReason: 'bad_mood' }],
    ['failureReason', { paymentStatus: 'paid', failureReason: 'card_expired' }],
  ])('on %s: %j', async (field, body) => {
    const life = await subscriptionScenario(june)
    await forward(life)
    const [, order] = await ordersOf(life)
    await invalid(life, () => simulate(life, order.id, body), field)
  })

  test('of another tenant', async () => {
    const life = await subscriptionScenario(june)
    await forward(life)
    const [, order] = await ordersOf(life)
    const another = await aShop()
    for (const key of [life.shop.liveKey, another.liveKey])
      await refused(life, () => simulate({ ...life, key }, order.id, paid), 403, 'test_mode_only')
    await refused(life, () => simulate({ ...life, key: another.testKey }, order.id, paid), 404, 'not_found')
  })
})

describe('a recovery by the clock', () => {
  const linkIn = (text: string) => /http:\/\/billhook\.test\/billing-update\/\S+/.exec(text)?.[0]

  test('of a hard decline: emails on days 0, 3 and 6, no charge, the end on day 7', async () => {
    const life = await subscriptionScenario({ ...june, buyer: { email: 'Ada@Example.com' } })
    await declineMandate(life.id, 'card_expired')
    const { subscription, events, order } = await renewal(life)
    expect(events).toEqual([renewed, 'order.payment_failed'])
    expect(subscription).toMatchObject({ status: 'active', renewedUntil: on('2027-08-01') })
    expect(order).toMatchObject({ status: 'pending' })
    expect((await during(life, () => clockTo(life.key, '2027-07-07T23:50:00Z'))).events).toEqual([])
    const mails = await mailsOf(life)
    expect(mails.map(({ kind, createdAt }) => [kind, dayOf(createdAt)])).toEqual([
      ['payment_method_needed', '2027-07-01'],
      ['payment_method_needed', '2027-07-04'],
      ['payment_method_needed', '2027-07-07'],
    ])
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(3)
    expect(new Set(mails.map(({ text }) => linkIn(text))).size).toBe(3)
    for (const { to, text, html } of mails) {
      expect(to).toBe('ada@example.com')
      expect(text).toContain('€100.00')
      expect(html).toContain(`href="${linkIn(text)}"`)
    }
    const end = await during(life, () => pastMidnight(life, '2027-07-08'))
    expect(end.events).toEqual(['order.canceled', 'subscription.canceled_for_nonpayment'])
    expect(end.subscription).toMatchObject({
      status: 'canceled',
      cancellationReason: 'payment_failure',
      canceledAt: on('2027-07-08'),
      endedAt: on('2027-07-08'),
      nextRenewalAt: null,
    })
    expect(end.order).toMatchObject({ id: order.id, status: 'canceled', invoiceNumber: null })
    expect((await mailsOf(life)).map(({ kind }) => kind).at(-1)).toBe('canceled_for_nonpayment')
    expect(await attemptsAt(order.id)).toEqual([['2027-07-01', 'failed']])
    expect((await during(life, () => pass(life, 'P2M'))).events).toEqual([])
    expect(await mailsOf(life)).toHaveLength(4)
  })

  test('of a soft decline: charges again after 2, 5, 7 and 7 days, then the end', async () => {
    const life = await subscriptionScenario(june)
    await declineMandate(life.id, 'insufficient_funds')
    const { events, order } = await renewal(life)
    expect(events).toEqual([renewed, 'order.payment_failed'])
    const end = await during(life, () => pass(life, 'P21D'))
    expect(end.events).toEqual(['order.canceled', 'subscription.canceled_for_nonpayment'])
    expect(end.subscription).toMatchObject({
      status: 'canceled',
      cancellationReason: 'payment_failure',
      endedAt: on('2027-07-22'),
    })
    const days = ['2027-07-01', '2027-07-03', '2027-07-08', '2027-07-15', '2027-07-22']
    expect(await attemptsAt(order.id)).toEqual(days.map((day) => [day, 'failed']))
    expect((await mailsOf(life)).map(({ kind, createdAt }) => [kind, dayOf(createdAt)])).toEqual([
      ...days.slice(0, 4).map((day) => ['payment_failed', day]),
      ['canceled_for_nonpayment', '2027-07-22'],
    ])
  })

  test('that a later attempt pays continues as before', async () => {
    const life = await subscriptionScenario(june)
    await declineMandate(life.id, 'temporary_decline')
    const { order } = await renewal(life)
    await pass(life, 'P2D')
    await declineMandate(life.id, null)
    const { subscription, events, order: recovered } = await during(life, () => pass(life, 'P5D'))
    expect(events).toEqual(['order.paid'])
    expect(recovered).toMatchObject({ id: order.id, status: 'paid', invoiceNumber: expect.any(String) })
    expect(subscription).toMatchObject({ status: 'active', renewedUntil: on('2027-08-01') })
    expect(await attemptsAt(order.id)).toEqual([
      ['2027-07-01', 'failed'],
      ['2027-07-03', 'failed'],
      ['2027-07-08', 'paid'],
    ])
    expect((await during(life, () => pastMidnight(life, '2027-08-01'))).events).toEqual([renewed, 'order.paid'])
    expect(await mailsOf(life)).toHaveLength(2)
  })

  test('holds up the renewals after it, which are billed once each, in order, at its end', async () => {
    const life = await subscriptionScenario({ ...june, plan: { interval: 'week' } })
    await declineMandate(life.id, 'insufficient_funds')
    await pass(life, 'P20D') // due on 8, 15 and 22 June; tried on 8, 10 and 15
    expect(await ordersOf(life)).toMatchObject([{ status: 'paid' }, { status: 'pending' }])
    await declineMandate(life.id, null)
    const { subscription, events } = await during(life, () => pastMidnight(life, '2027-06-22'))
    expect(events).toEqual(['order.paid', renewed, 'order.paid', renewed, 'order.paid'])
    expect(subscription).toMatchObject({ renewedUntil: on('2027-06-29') })
    expect((await ordersOf(life)).map(({ status }: Answer) => status)).toEqual(['paid', 'paid', 'paid', 'paid'])
  })

  test('settles a later attempt as its method does', async () => {
    const life = await directDebitScenario()
    await declineMandate(life.id, 'insufficient_funds')
    const { order } = await renewal(life)
    await declineMandate(life.id, null)
    await pass(life, 'P1DT23H59M30S')
    expect(await attemptsAt(order.id)).toEqual([
      ['2027-07-01', 'failed'],
      ['2027-07-03', 'pending'],
    ])
    expect((await during(life, () => pass(life, 'PT15M'))).events).toEqual(['order.paid'])
  })

  test('lets changes be made', async () => {
    const life = await subscriptionScenario(june)
    await declineMandate(life.id, 'insufficient_funds')
    await renewal(life)
    expect((await ask(life, 'PATCH /v1/subscriptions/{id}', { quantity: 2 })).status).toBe(200)
    const now = { quantity: 3, applyImmediately: true }
    expect((await ask(life, 'PATCH /v1/subscriptions/{id}', now)).status).toBe(200)
  })

  test('ends with the subscription: its order is canceled, and nothing is charged or sent any more', async () => {
    const life = await subscriptionScenario(june)
    await declineMandate(life.id, 'insufficient_funds')
    const { order } = await renewal(life)
    const ended = await during(life, () => ask(life, 'DELETE /v1/subscriptions/{id}?immediately=true'))
    expect(ended.events.sort()).toEqual(['order.canceled', 'subscription.canceled_immediately'])
    expect(ended.subscription).toMatchObject({ status: 'canceled', cancellationReason: 'merchant_request' })
    expect(ended.order).toMatchObject({ id: order.id, status: 'canceled' })
    await declineMandate(life.id, null)
    expect((await during(life, () => pass(life, 'P2M'))).events).toEqual([])
    expect(await attemptsAt(order.id)).toEqual([['2027-07-01', 'failed']])
    expect(await mailsOf(life)).toHaveLength(1)
  })
})

describe('a recovery that a helper began', () => {
  test('waits at each attempt for its outcome, and ends with the last', async () => {
    const life = await halfOfJune(await subscriptionScenario(june))
    const { order } = await during(life, () => forward(life, failed('insufficient_funds')))
    for (const days of [2, 5, 7, 7]) {
      const before = (await eventsOf(life)).length
      await pass(life, `P${days}D`)
      await pass(life, 'P1D') // no further attempt while this one waits
      expect((await eventsOf(life)).length).toBe(before)
      await refused(life, () => forward(life), 409, 'already_in_flight')
      expect((await simulate(life, order.id, failed('insufficient_funds'))).status).toBe(200)
    }
    expect((await eventsOf(life)).map(nameOf)).toEqual([
      renewed,
      'order.payment_failed',
      'order.canceled',
      'subscription.canceled_for_nonpayment',
    ])
    expect(await subscriptionOf(life)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
    expect(await providerLedger(order.id)).toEqual([])
  })

  test('of a hard decline ends on day 7 with nothing to simulate', async () => {
    const life = await halfOfJune(await subscriptionScenario(june))
    const { order } = await during(life, () => forward(life, failed('card_expired')))
    await pass(life, 'P6DT23H')
    await invalid(life, () => simulate(life, order.id, paid), 'orderId')
    expect((await during(life, () => pass(life, 'PT1H'))).events).toEqual([
      'order.canceled',
      'subscription.canceled_for_nonpayment',
    ])
  })
})
