import { afterAll, describe, expect, test } from 'vitest'
import { testMethods } from '../../modules/payments/rules/method.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { openPage, visitor } from '../../testing/billing-update.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { since, verified } from '../../testing/method-verification.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { billingToken, onProvidersPage, submitMethod } from '../../testing/scenarios.ts'
import { june } from '../../testing/subscription-events.ts'
import {
  ask,
  drainTasks,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { submitBillingUpdate } from './submit-billing-update.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

describe('concurrent verifications', () => {
  const times = <Result>(n: number, work: (index: number) => Promise<Result>) =>
    Array.from({ length: n }, (_, index) => () => work(index))
  const all = (settled: PromiseSettledResult<unknown>[]) =>
    expect(settled.map((end) => (end.status === 'fulfilled' ? 'fulfilled' : end.reason))).toEqual(
      settled.map(() => 'fulfilled'),
    )
  const openAtProvider = async (scenario: Scenario) => {
    const token = await billingToken(scenario)
    const next = await submitMethod(token, 'paypal')
    const row = await db().payments.findFirstOrThrow({
      where: { billing_update_link_id: { not: null }, status: 'open', storefront_id: scenario.shop.storefrontId },
    })
    return { token, next, ref: row.provider_ref ?? '' }
  }

  test('a billing update form finds the open verification payment even if an ended payment has a later id', async () => {
    const scenario = await subscriptionScenario(june)
    const { token, ref } = await openAtProvider(scenario)
    const { transfer: _, ...open } = await db().payments.findUniqueOrThrow({ where: { provider_ref: ref } })
    const ended = { provider_ref: null, open_order_id: null, status: 'canceled' as const, finished_at: open.created_at }
    await db().payments.create({ data: { ...open, ...ended, id: newId('payment_', new Date('2028-01-01')) } })
    expect(await submitMethod(token, 'creditcard')).toMatchObject({ redirectTo: expect.stringContaining('/pay/') })
    const payments = await db().payments.findMany({ where: { order_id: open.order_id }, orderBy: { id: 'asc' } })
    expect(payments.map(({ status, method }) => [status, method])).toEqual([
      ['canceled', 'paypal'],
      ['open', 'creditcard'],
      ['canceled', 'paypal'],
    ])
  })

  test('two billing update links with different payment methods share one verification', async () => {
    const scenario = await subscriptionScenario(june)
    const links = [await billingToken(scenario), await billingToken(scenario)]
    all(
      await raceBehind(
        lockOn('subscriptions', scenario.id),
        times(6, (n) => submitMethod(links[n % 2] ?? '', testMethods[n % 5] ?? '')),
        2,
      ),
    )
    const open = await db().payments.count({ where: { storefront_id: scenario.shop.storefrontId, status: 'open' } })
    expect({ open, ...(await since(scenario)) }).toMatchObject({
      open: 1,
      events: [],
      orders: [/^pending/].map(() => expect.stringMatching(/^pending .* 0.00$/)),
    })
  })

  test('concurrent notices about a successful method verification store one new mandate', async () => {
    const scenario = await subscriptionScenario(june)
    const { next, ref } = await openAtProvider(scenario)
    await db().sandbox_payments.update({ where: { ref }, data: { status: 'paid', mandate: 'valid' } })
    all(
      await raceBehind(
        lockOn('subscriptions', scenario.id),
        times(5, () => syncWithProvider(scenario.shop.scope, ref)),
        1,
      ),
    )
    await onProvidersPage(next)
    expect(await since(scenario)).toEqual({ events: verified, orders: ['paid paypal 0.00'] })
    expect(await db().mandates.count({ where: { customer_id: scenario.customerId } })).toBe(2)
  })

  test.each([0, 1])(
    'a method verification and a concurrent cancellation are applied one after the other (sequence %i)',
    async (first) => {
      const scenario = await subscriptionScenario(june)
      const { next } = await openAtProvider(scenario)
      const racers: (() => Promise<unknown>)[] = [
        () => onProvidersPage(next),
        () => ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true'),
      ]
      all(
        await raceBehind(lockOn('subscriptions', scenario.id), first ? racers.reverse() : racers, 2, undefined, {
          inTurn: true,
        }),
      )
      await drainTasks()
      const outcome = await since(scenario)
      const { status, mandate } = await subscriptionOf(scenario)
      expect(status).toBe('canceled')
      if (first) {
        expect(mandate.method).toBe('card')
        expect(outcome.events).toEqual(['subscription.canceled_immediately', 'order.paid'])
      } else {
        expect(mandate.method).toBe('paypal')
        expect(outcome.events).toEqual([...verified, 'subscription.canceled_immediately'])
      }
      expect(outcome.orders).toEqual(['paid paypal 0.00'])
    },
  )

  test.each([0, 1])(
    'a method verification and a concurrent renewal both succeed, and the subscription has the new method (sequence %i)',
    async (first) => {
      const scenario = await subscriptionScenario(june)
      const { next } = await openAtProvider(scenario)
      const racers: (() => Promise<unknown>)[] = [
        () => onProvidersPage(next),
        () => ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', { paymentStatus: 'paid' }),
      ]
      all(await raceBehind(lockOn('subscriptions', scenario.id), first ? racers.reverse() : racers, 2))
      await drainTasks()
      expect((await since(scenario)).events.filter((name) => name === 'order.paid')).toHaveLength(2)
      expect(await subscriptionOf(scenario)).toMatchObject({ mandate: { method: 'paypal' } })
    },
  )

  test('a billing update form that keeps the current method saves its address during a concurrent method verification', async () => {
    const scenario = await subscriptionScenario(june)
    const { next } = await openAtProvider(scenario)
    const second = await billingToken(scenario)
    const { form, version } = await openPage(second)
    const kept = new URLSearchParams({ ...form, city: 'Delft', version })
    all(
      await raceBehind(
        lockOn('subscriptions', scenario.id),
        [() => onProvidersPage(next), () => submitBillingUpdate(second, kept, visitor)],
        2,
      ),
    )
    await drainTasks()
    expect((await subscriptionOf(scenario)).billingAddress).toMatchObject({ city: 'Delft' })
  })
})
