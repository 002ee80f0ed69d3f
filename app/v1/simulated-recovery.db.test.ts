import { afterAll, describe, expect, test } from 'vitest'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { ask, clockTo, ordersOf, pass, subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'
import { providerLedger } from '@/lib/workflows/reconciliation/provider-ledger.ts'
import { declineMandate } from '@/lib/workflows/test-helpers/mandates.ts'
import type { Answer } from '../../lib/testing/shop.ts'
import {
  attemptsAt,
  dayOf,
  directDebitScenario,
  during,
  emailsOf,
  failed,
  forward,
  invalid,
  paid,
  renewal,
  simulate,
} from '../../lib/testing/simulations.ts'
import {
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

describe('a recovery on the test clock', () => {
  const linkIn = (text: string) => /http:\/\/billhook\.test\/billing-update\/\S+/.exec(text)?.[0]

  test('the recovery of a hard decline sends emails on days 0, 3, and 6 without a charge, and ends on day 7', async () => {
    const scenario = await subscriptionScenario({ ...june, buyer: { email: 'Ada@Example.com' } })
    await declineMandate(scenario.id, 'card_expired')
    const { subscription, events, order } = await renewal(scenario)
    expect(events).toEqual([renewed, 'order.payment_failed'])
    expect(subscription).toMatchObject({ status: 'active', renewedUntil: on('2027-08-01') })
    expect(order).toMatchObject({ status: 'pending' })
    expect((await during(scenario, () => clockTo(scenario.key, '2027-07-07T23:50:00Z'))).events).toEqual([])
    const emails = await emailsOf(scenario)
    expect(emails.map(({ kind, createdAt }) => [kind, dayOf(createdAt)])).toEqual([
      ['payment_method_needed', '2027-07-01'],
      ['payment_method_needed', '2027-07-04'],
      ['payment_method_needed', '2027-07-07'],
    ])
    expect(new Set(emails.map(({ subject }) => subject)).size).toBe(emails.length)
    expect(new Set(emails.map(({ text }) => linkIn(text))).size).toBe(emails.length)
    for (const { to, text, html } of emails) {
      expect(to).toBe('ada@example.com')
      expect(text).toContain('€100.00')
      expect(html).toContain(`href="${linkIn(text)}"`)
    }
    const end = await during(scenario, () => pastMidnight(scenario, '2027-07-08'))
    expect(end.events).toEqual(['order.canceled', 'subscription.canceled_for_nonpayment'])
    expect(end.subscription).toMatchObject({
      status: 'canceled',
      cancellationReason: 'payment_failure',
      canceledAt: on('2027-07-08'),
      endedAt: on('2027-07-08'),
      nextRenewalAt: null,
    })
    expect(end.order).toMatchObject({ id: order.id, status: 'canceled', invoiceNumber: null })
    expect((await emailsOf(scenario)).map(({ kind }) => kind).at(-1)).toBe('canceled_for_nonpayment')
    expect(await attemptsAt(order.id)).toEqual([['2027-07-01', 'failed']])
    expect((await during(scenario, () => pass(scenario, 'P2M'))).events).toEqual([])
    expect(await emailsOf(scenario)).toHaveLength(4)
  })

  test('the recovery of a soft decline retries the charge after 2, 7, 14, and 21 days, and then ends', async () => {
    const scenario = await subscriptionScenario(june)
    await declineMandate(scenario.id, 'insufficient_funds')
    const { events, order } = await renewal(scenario)
    expect(events).toEqual([renewed, 'order.payment_failed'])
    const end = await during(scenario, () => pass(scenario, 'P21D'))
    expect(end.events).toEqual(['order.canceled', 'subscription.canceled_for_nonpayment'])
    expect(end.subscription).toMatchObject({
      status: 'canceled',
      cancellationReason: 'payment_failure',
      endedAt: on('2027-07-22'),
    })
    const days = ['2027-07-01', '2027-07-03', '2027-07-08', '2027-07-15', '2027-07-22']
    expect(await attemptsAt(order.id)).toEqual(days.map((day) => [day, 'failed']))
    expect((await emailsOf(scenario)).map(({ kind, createdAt }) => [kind, dayOf(createdAt)])).toEqual([
      ...days.slice(0, 4).map((day) => ['payment_failed', day]),
      ['canceled_for_nonpayment', '2027-07-22'],
    ])
  })

  test('a subscription continues unchanged if a retry of its declined charge succeeds', async () => {
    const scenario = await subscriptionScenario(june)
    await declineMandate(scenario.id, 'temporary_decline')
    const { order } = await renewal(scenario)
    await pass(scenario, 'P2D')
    await declineMandate(scenario.id, null)
    const { subscription, events, order: recovered } = await during(scenario, () => pass(scenario, 'P5D'))
    expect(events).toEqual(['order.paid'])
    expect(recovered).toMatchObject({ id: order.id, status: 'paid', invoiceNumber: expect.any(String) })
    expect(subscription).toMatchObject({ status: 'active', renewedUntil: on('2027-08-01') })
    expect(await attemptsAt(order.id)).toEqual([
      ['2027-07-01', 'failed'],
      ['2027-07-03', 'failed'],
      ['2027-07-08', 'paid'],
    ])
    expect((await during(scenario, () => pastMidnight(scenario, '2027-08-01'))).events).toEqual([renewed, 'order.paid'])
    expect(await emailsOf(scenario)).toHaveLength(2)
  })

  test('later renewals wait for the end of a recovery, and are then billed in order', async () => {
    const scenario = await subscriptionScenario({ ...june, plan: { interval: 'week' } })
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P20D') // renewals are due on 8, 15, and 22 June; the renewal of 8 June is charged on 8, 10, and 15 June
    expect(await ordersOf(scenario)).toMatchObject([{ status: 'paid' }, { status: 'pending' }])
    await declineMandate(scenario.id, null)
    const { subscription, events } = await during(scenario, () => pastMidnight(scenario, '2027-06-22'))
    expect(events).toEqual(['order.paid', renewed, 'order.paid', renewed, 'order.paid'])
    expect(subscription).toMatchObject({ renewedUntil: on('2027-06-29') })
    expect((await ordersOf(scenario)).map(({ status }: Answer) => status)).toEqual(['paid', 'paid', 'paid', 'paid'])
  })

  test('a retry by direct debit takes as long to settle as any other direct debit', async () => {
    const scenario = await directDebitScenario()
    await declineMandate(scenario.id, 'insufficient_funds')
    const { order } = await renewal(scenario)
    await declineMandate(scenario.id, null)
    await pass(scenario, 'P1DT23H59M30S')
    expect(await attemptsAt(order.id)).toEqual([
      ['2027-07-01', 'failed'],
      ['2027-07-03', 'pending'],
    ])
    expect((await during(scenario, () => pass(scenario, 'PT15M'))).events).toEqual(['order.paid'])
  })

  test('a subscription in recovery can be changed', async () => {
    const scenario = await subscriptionScenario(june)
    await declineMandate(scenario.id, 'insufficient_funds')
    await renewal(scenario)
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 2 })).status).toBe(200)
    const now = { quantity: 3, applyImmediately: true }
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', now)).status).toBe(200)
  })

  test('canceling a subscription ends its recovery, cancels the order, and stops charges and emails', async () => {
    const scenario = await subscriptionScenario(june)
    await declineMandate(scenario.id, 'insufficient_funds')
    const { order } = await renewal(scenario)
    const ended = await during(scenario, () => ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true'))
    expect(ended.events.sort()).toEqual(['order.canceled', 'subscription.canceled_immediately'])
    expect(ended.subscription).toMatchObject({ status: 'canceled', cancellationReason: 'merchant_request' })
    expect(ended.order).toMatchObject({ id: order.id, status: 'canceled' })
    await declineMandate(scenario.id, null)
    expect((await during(scenario, () => pass(scenario, 'P2M'))).events).toEqual([])
    expect(await attemptsAt(order.id)).toEqual([['2027-07-01', 'failed']])
    expect(await emailsOf(scenario)).toHaveLength(1)
  })
})

describe('a recovery after a simulated failure', () => {
  test('after a simulated failure, each retry waits for a simulated outcome, and the last failure ends the recovery', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const { order } = await during(scenario, () => forward(scenario, failed('insufficient_funds')))
    for (const days of [2, 5, 7, 7]) {
      const before = (await eventsOf(scenario)).length
      await pass(scenario, `P${days}D`)
      await pass(scenario, 'P1D') // no new payment attempt starts while an attempt has no outcome
      expect((await eventsOf(scenario)).length).toBe(before)
      await refused(scenario, () => forward(scenario), 'already_in_flight', { status: 409 })
      expect((await simulate(scenario, order.id, failed('insufficient_funds'))).status).toBe(200)
    }
    expect((await eventsOf(scenario)).map(nameOf)).toEqual([
      renewed,
      'order.payment_failed',
      'order.canceled',
      'subscription.canceled_for_nonpayment',
    ])
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
    expect(await providerLedger(order.id)).toEqual([])
  })

  test('after a simulated hard decline, the recovery ends on day 7 without a further simulation', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const { order } = await during(scenario, () => forward(scenario, failed('card_expired')))
    await pass(scenario, 'P6DT23H')
    await invalid(scenario, () => simulate(scenario, order.id, paid), 'orderId')
    expect((await during(scenario, () => pass(scenario, 'PT1H'))).events).toEqual([
      'order.canceled',
      'subscription.canceled_for_nonpayment',
    ])
  })
})
