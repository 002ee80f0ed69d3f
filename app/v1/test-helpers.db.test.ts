import { afterAll, describe, expect, test } from 'vitest'
import { send } from '@/lib/testing/api.ts'
import { aCheckout, aPlan, price } from '@/lib/testing/factories.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { aShop, tokenOf } from '@/lib/testing/shop.ts'
import {
  ask,
  clockTo,
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionScenario,
  untilFirstRetry,
} from '@/lib/testing/subscription-scenario.ts'
import { providerLedger } from '@/lib/workflows/reconciliation/provider-ledger.ts'
import { submitCheckout } from '@/lib/workflows/sale/submit-checkout.ts'
import { pauseTyped } from '@/lib/workflows/subscription-change/operations.ts'
import { activateMandate, declineMandate } from '@/lib/workflows/test-helpers/mandates.ts'
import { chooseOutcome } from '@/lib/workflows/test-payment-page/submit-test-payment.ts'
import {
  attemptsAt,
  dayOf,
  directDebitScenario,
  during,
  emailsOf,
  failed,
  forward,
  forwardPath,
  invalid,
  paid,
  renewal,
  simulate,
  simulatePath,
} from '../../lib/testing/simulations.ts'
import {
  eventsOf,
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

async function aSale({ paymentMethod = 'creditcard', mandate = 'valid' }): Promise<Scenario> {
  const shop = await aShop(june)
  const key = shop.testKey
  const { id: planId } = await aPlan(key, { basePrice: price('100.00') })
  const checkout = await aCheckout(key, planId)
  const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'DE', taxId: 'DE1', paymentMethod }
  const visitor = { acceptLanguage: 'en', header: () => null }
  const next = await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), new URLSearchParams(buyer), visitor)
  await chooseOutcome(tokenOf(next?.redirectTo ?? ''), new URLSearchParams({ outcome: 'paid', mandate }))
  await drainTasks()
  const { data } = await get(key, '/v1/subscriptions')
  return { shop, key, planId, id: data[0].id, customerId: data[0].customerId }
}

describe('a fast-forward', () => {
  test('a fast-forward without an outcome advances the billing cycle and leaves the payment pending, even if its body is {}', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const before = await subscriptionOf(scenario)
    const { subscription, events, order } = await during(scenario, async () => {
      const reply = await send(`POST ${forwardPath.replace('{id}', scenario.id)}`, { key: scenario.key })
      expect(reply).toMatchObject({ status: 200, body: before })
      expect(await subscriptionOf(scenario)).toEqual(before) // A fast-forward runs in the background, a few seconds after its request.
      expect(await eventsOf(scenario)).toEqual([])
      await drainTasks()
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
    expect(dayOf((await get(scenario.key, '/v1/test-helpers/clock')).now)).toBe('2027-06-16')
    expect((await during(scenario, () => pass(scenario, 'P20D'))).events).toEqual([])
    const settled = await during(scenario, () => simulate(scenario, order.id, paid))
    expect(settled).toMatchObject({ events: ['order.paid'], order: { id: order.id, status: 'paid' } })
    expect(settled.order.invoiceNumber).toMatch(/^TEST-INV-2027-/)
    expect(await providerLedger(order.id)).toEqual([])
    const next = await during(scenario, () => pastMidnight(scenario, '2027-08-01'))
    expect(next.events).toEqual([renewed, 'order.paid'])
    expect(next.subscription).toMatchObject({ renewedAt: on('2027-08-01'), renewedUntil: on('2027-09-01') })
    const again = await during(scenario, () => forward(scenario, {}))
    expect(again).toMatchObject({ events: [renewed], order: { status: 'pending' } })
  })

  test('a fast-forward with the outcome `paid` pays the order without a payment provider', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const { events, order } = await during(scenario, () => forward(scenario, paid))
    expect(events).toEqual([renewed, 'order.paid'])
    expect(order).toMatchObject({ status: 'paid', total: price('100.00') })
    expect(await providerLedger(order.id)).toEqual([])
  })

  // `schedule.test.ts` tests for each reason whether the decline is soft.
  test.each([undefined, 'insufficient_funds', 'card_expired'] as const)(
    'a fast-forward with a failed charge begins a recovery: %s',
    async (reason) => {
      const scenario = await halfOfJune(await subscriptionScenario(june))
      const { subscription, events, order } = await during(scenario, () => forward(scenario, failed(reason)))
      expect(events).toEqual([renewed, 'order.payment_failed'])
      expect(subscription).toMatchObject({ status: 'active', renewedUntil: on('2027-08-01') })
      expect(order).toMatchObject({ status: 'pending', invoiceNumber: null })
      const isSoft = reason !== 'card_expired'
      expect(await emailsOf(scenario)).toMatchObject([
        {
          kind: isSoft ? 'payment_failed' : 'payment_method_needed',
          to: 'ada@example.com',
          createdAt: expect.any(Date),
        },
      ])
    },
  )

  test('a fast-forward applies a scheduled change', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    await ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 2 })
    const { subscription, events, order } = await during(scenario, () => forward(scenario, paid))
    expect(events).toEqual(['subscription.updated (updated_on_renewal)', 'order.paid'])
    expect(subscription).toMatchObject({ quantity: 2, scheduledUpdate: null })
    expect(order).toMatchObject({ total: price('200.00') })
  })

  test('each of several fast-forwards bills one period', async () => {
    const scenario = await subscriptionScenario({ at: '2027-01-31T00:00:00Z' })
    for (const end of ['2027-03-31', '2027-04-30', '2027-05-31']) {
      expect((await during(scenario, () => forward(scenario, paid))).subscription).toMatchObject({
        renewedUntil: on(end),
      })
    }
    expect((await during(scenario, () => pastMidnight(scenario, '2027-05-30'))).events).toEqual([])
    expect((await during(scenario, () => pastMidnight(scenario, '2027-05-31'))).events).toEqual([renewed, 'order.paid'])
  })

  test('a fast-forward has no effect if the period is billed before the fast-forward runs', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const { subscription, events } = await during(scenario, async () => {
      await send(`POST ${forwardPath.replace('{id}', scenario.id)}`, { key: scenario.key, body: paid })
      await pastMidnight(scenario, '2027-07-01')
    })
    expect(events).toEqual([renewed, 'order.paid'])
    expect(subscription).toMatchObject({ renewedUntil: on('2027-08-01') })
    expect((await forward(scenario, paid)).status).toBe(200)
  })

  test('a fast-forward is refused while an earlier fast-forward is queued or its order is unpaid', async () => {
    const scenario = await halfOfJune(await subscriptionScenario(june))
    const busy = () => refused(scenario, () => forward(scenario, paid), 'already_in_flight', { status: 409 })
    const path = `POST ${forwardPath.replace('{id}', scenario.id)}`
    expect((await send(path, { key: scenario.key })).status).toBe(200)
    expect(await send(path, { key: scenario.key })).toMatchObject({ status: 409, body: { code: 'already_in_flight' } })
    await drainTasks()
    await busy()
    const [, order] = await ordersOf(scenario)
    await simulate(scenario, order.id, failed())
    await busy()
    await pass(scenario, untilFirstRetry)
    await simulate(scenario, order.id, paid)
    expect((await forward(scenario, paid)).status).toBe(200)
  })

  test('a fast-forward makes no second renewal while a normal renewal is in recovery', async () => {
    const scenario = await subscriptionScenario(june)
    await declineMandate(scenario.id, 'insufficient_funds')
    await renewal(scenario)
    await refused(scenario, () => forward(scenario, paid), 'already_in_flight', { status: 409 })
    await declineMandate(scenario.id, null)
    await pass(scenario, untilFirstRetry)
    expect((await during(scenario, () => forward(scenario, paid))).events).toEqual([renewed, 'order.paid'])
  })

  test('a refused fast-forward has an error on the field paymentStatus or failureReason', async () => {
    const scenario = await subscriptionScenario(june)
    for (const [field, body] of [
      ['paymentStatus', { paymentStatus: 'pending' }],
      ['failureReason', { paymentStatus: 'failed', failureReason: 'bad_mood' }],
      ['failureReason', { paymentStatus: 'paid', failureReason: 'card_expired' }],
      ['failureReason', { failureReason: 'card_expired' }],
    ] as const)
      await invalid(scenario, () => forward(scenario, body), field)
  })

  test('a fast-forward needs an active subscription with a next renewal', async () => {
    const scenarios = [
      await subscriptionScenario({ ...june, item: { trialDays: 14 } }),
      await aSale({ paymentMethod: 'directdebit' }), // the first payment has not settled, so the status is `created`
      await subscriptionScenario(june),
      await subscriptionScenario(june),
      await subscriptionScenario(june),
    ]
    const [, , grace, canceled, paused] = scenarios
    if (!grace || !canceled || !paused) throw new Error('a scenario is missing')
    await ask(grace, 'DELETE /v1/subscriptions/{id}')
    await ask(canceled, 'DELETE /v1/subscriptions/{id}?immediately=true')
    await pauseTyped(paused.id)
    const states = await Promise.all(scenarios.map(async (scenario) => (await subscriptionOf(scenario)).status))
    expect(states).toEqual(['trial', 'created', 'on_grace_period', 'canceled', 'paused'])
    for (const scenario of scenarios)
      await refused(scenario, () => forward(scenario, paid), 'subscription_not_renewable')
  })

  test('a fast-forward needs a test key of the storefront of the subscription', async () => {
    const scenario = await subscriptionScenario(june)
    const another = await aShop()
    for (const key of [scenario.shop.liveKey, another.liveKey])
      await refused(scenario, () => forward({ ...scenario, key }, paid), 'test_mode_only', { status: 403 })
    await refused(scenario, () => forward({ ...scenario, key: another.testKey }, paid), 'not_found', { status: 404 })
  })
})

describe('a pending payment method', () => {
  test('a subscription renews with a pending payment method, and is charged when the method becomes active', async () => {
    const scenario = await aSale({ mandate: 'pending' })
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active', mandate: { method: 'card' } })
    const { events, order } = await renewal(scenario)
    expect(events).toEqual([renewed])
    expect(order).toMatchObject({ status: 'pending' })
    expect(await providerLedger(order.id)).toEqual([])
    const active = await during(scenario, async () => {
      await activateMandate(scenario.id)
      await drainTasks()
    })
    expect(active).toMatchObject({ events: ['order.paid'], order: { id: order.id, status: 'paid' } })
    await expect(activateMandate(scenario.id)).rejects.toMatchObject({ code: 'mandate_not_pending' })
  })

  test('a fast-forward of a subscription with a pending payment method creates an order that stays pending', async () => {
    const scenario = await halfOfJune(await aSale({ mandate: 'pending' }))
    await invalid(scenario, () => forward(scenario, paid), 'paymentStatus')
    const { subscription, events, order } = await during(scenario, () => forward(scenario))
    expect(events).toEqual([renewed])
    expect(subscription).toMatchObject({ renewedUntil: on('2027-08-01') })
    await invalid(scenario, () => simulate(scenario, order.id, paid), 'paymentStatus')
    const active = await during(scenario, async () => {
      await activateMandate(scenario.id)
      await drainTasks()
    })
    expect(active).toMatchObject({ events: [], order: { status: 'pending' } })
    expect(await providerLedger(order.id)).toEqual([])
    expect((await during(scenario, () => simulate(scenario, order.id, paid))).events).toEqual(['order.paid'])
  })

  test.each(['fast-forward', 'simulation'])(
    'after a %s with a failed payment, the order is paid when the pending payment method becomes active',
    async (helper) => {
      const scenario = await halfOfJune(await aSale({ mandate: 'pending' }))
      const { events, order } = await during(scenario, async () => {
        if (helper === 'fast-forward') return forward(scenario, failed('insufficient_funds'))
        await forward(scenario)
        const [, waiting] = await ordersOf(scenario)
        return simulate(scenario, waiting.id, failed('insufficient_funds'))
      })
      expect(events).toEqual([renewed, 'order.payment_failed'])
      const active = await during(scenario, async () => {
        await activateMandate(scenario.id)
        await drainTasks()
      })
      expect(active).toMatchObject({ events: ['order.paid'], order: { id: order.id, status: 'paid' } })
    },
  )
})

describe('a direct debit on a saved method', () => {
  test('a direct debit settles automatically 10 to 15 minutes after its creation', async () => {
    const scenario = await directDebitScenario()
    await clockTo(scenario.key, (await subscriptionOf(scenario)).renewedUntil)
    const [, order] = await ordersOf(scenario)
    expect(order).toMatchObject({ status: 'pending', paymentMethod: 'directdebit' })
    expect((await during(scenario, () => pass(scenario, 'PT9M'))).events).toEqual([])
    expect(await during(scenario, () => pass(scenario, 'PT6M'))).toMatchObject({
      events: ['order.paid'],
      order: { id: order.id, status: 'paid' },
    })
  })

  test('a direct debit accepts one simulated outcome before it settles', async () => {
    const scenario = await directDebitScenario()
    const { order } = await renewal(scenario)
    const reply = await send(`POST ${simulatePath(order.id)}`, { key: scenario.key, body: paid })
    expect(reply).toMatchObject({ status: 200, body: order })
    expect(await get(scenario.key, `/v1/orders/${order.id}`)).toEqual(order) // A simulated outcome takes effect a few seconds after its request.
    expect(await send(`POST ${simulatePath(order.id)}`, { key: scenario.key, body: failed() })).toMatchObject({
      status: 409,
      body: { code: 'already_in_flight' },
    })
    expect((await during(scenario, drainTasks)).events).toEqual(['order.paid'])
    expect((await during(scenario, () => pass(scenario, 'P1D'))).events).toEqual([])
    for (const body of [paid, failed()]) await invalid(scenario, () => simulate(scenario, order.id, body), 'orderId')
  })

  test('after a simulated failure of a direct debit, each retry waits for a simulated outcome', async () => {
    const scenario = await directDebitScenario()
    const { order } = await renewal(scenario)
    const failure = await during(scenario, () => simulate(scenario, order.id, failed('insufficient_funds')))
    expect(failure.events).toEqual(['order.payment_failed'])
    for (const body of [paid, failed()]) await invalid(scenario, () => simulate(scenario, order.id, body), 'orderId')
    expect(await attemptsAt(order.id)).toEqual([['2027-07-01', 'failed']])
    expect((await during(scenario, () => pass(scenario, `${untilFirstRetry}T1H`))).events).toEqual([])
    expect((await during(scenario, () => simulate(scenario, order.id, paid))).events).toEqual(['order.paid'])
    expect(await attemptsAt(order.id)).toEqual([['2027-07-01', 'failed']])
  })

  test('a direct debit for an immediately invoiced change accepts a simulated outcome', async () => {
    const scenario = await halfOfJune(await directDebitScenario())
    const body = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
    await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)
    const [, order] = await ordersOf(scenario)
    expect(order).toMatchObject({ status: 'pending', total: price('50.00') })
    const { subscription, events } = await during(scenario, () =>
      simulate(scenario, order.id, failed('account_closed')),
    )
    expect(events).toEqual(['order.payment_failed'])
    expect(subscription).toMatchObject({ status: 'active', quantity: 2 })
  })
})

describe('a simulation is refused', () => {
  test('simulate-payment is refused if no charge on a saved payment method is pending', async () => {
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

  test('a refused simulate-payment request has an error on the field paymentStatus or failureReason', async () => {
    const scenario = await subscriptionScenario(june)
    await forward(scenario)
    const [, order] = await ordersOf(scenario)
    for (const [field, body] of [
      ['paymentStatus', {}],
      ['paymentStatus', { paymentStatus: 'expired' }],
      ['failureReason', { paymentStatus: 'failed', failureReason: 'bad_mood' }],
      ['failureReason', { paymentStatus: 'paid', failureReason: 'card_expired' }],
    ] as const)
      await invalid(scenario, () => simulate(scenario, order.id, body), field)
  })

  test('simulate-payment is refused for a subscription of another tenant', async () => {
    const scenario = await subscriptionScenario(june)
    await forward(scenario)
    const [, order] = await ordersOf(scenario)
    const another = await aShop()
    for (const key of [scenario.shop.liveKey, another.liveKey])
      await refused(scenario, () => simulate({ ...scenario, key }, order.id, paid), 'test_mode_only', { status: 403 })
    await refused(scenario, () => simulate({ ...scenario, key: another.testKey }, order.id, paid), 'not_found', {
      status: 404,
    })
  })
})
