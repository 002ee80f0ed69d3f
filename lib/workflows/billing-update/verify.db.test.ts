import { afterAll, describe, expect, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { failureReasons } from '../../modules/payments/rules/failure.ts'
import { testMethods } from '../../modules/payments/rules/method.ts'
import { db } from '../../platform/db/db.ts'
import { openPage, visitor } from '../../testing/billing-update.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { since, verified } from '../../testing/method-verification.ts'
import {
  billingToken,
  booksOf,
  chooseMethod,
  failNextRenewal,
  onProvidersPage,
  submitMethod,
} from '../../testing/scenarios.ts'
import { tokenOf } from '../../testing/shop.ts'
import { june } from '../../testing/subscription-events.ts'
import {
  ask,
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { activateMandate, declineMandate } from '../test-helpers/mandates.ts'
import { loadTestPayment } from '../test-payment-page/load-test-payment.ts'
import { chooseOutcome } from '../test-payment-page/submit-test-payment.ts'
import { submitBillingUpdate } from './submit-billing-update.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const toShop = { redirectTo: 'https://shop.example/ok' }

const ends = [
  { outcome: 'canceled' },
  { outcome: 'expired' },
  ...failureReasons.map((failureReason) => ({ outcome: 'failed', failureReason })),
]

describe("the provider's page", () => {
  test('the provider’s page verifies a method with 0.00 and offers every outcome except a returned debit', async () => {
    const scenario = await subscriptionScenario(june)
    const next = await submitMethod(await billingToken(scenario), 'directdebit')
    const token = tokenOf(next?.redirectTo ?? '')
    expect((await loadTestPayment(token)).view).toMatchObject({
      state: 'open',
      locale: 'de',
      amount: { value: '0.00', currency: 'EUR' },
      method: 'directdebit',
      isVerification: true,
      withMandate: true,
      outcomes: ['paid', 'failed', 'canceled', 'expired'],
    })
    expect((await loadTestPayment(token)).origins).toEqual(['https://shop.example'])
    await chooseOutcome(token, new URLSearchParams({ outcome: 'returned' }))
    expect((await loadTestPayment(token)).view).toMatchObject({ state: 'open' })
    expect(await since(scenario)).toEqual({ events: [], orders: ['pending directdebit 0.00'] })
  })

  test('after each outcome of a method verification except "paid", the buyer returns to the form and the subscription is unchanged', async () => {
    const scenario = await subscriptionScenario(june)
    const before = await subscriptionOf(scenario)
    const token = await billingToken(scenario)
    for (const end of ends) {
      const typed = { ...(await openPage(token)).form, city: 'Delft', paymentMethod: 'paypal', version: '0' }
      const back = await onProvidersPage(await submitBillingUpdate(token, new URLSearchParams(typed), visitor), end)
      await drainTasks()
      expect(back).toEqual({ redirectTo: `/billing-update/${token}` })
      expect(await subscriptionOf(scenario)).toEqual(before)
      expect(await since(scenario)).toEqual({ events: [], orders: ['pending paypal 0.00'] })
      const kind = { canceled: 'payment_canceled', expired: 'payment_expired' }[end.outcome]
      const reason = 'failureReason' in end ? end.failureReason : undefined
      expect(await openPage(token)).toMatchObject({
        notice: kind ? { kind, isVerification: true } : { kind: 'declined', reason, isVerification: true },
        form: { city: 'Delft', paymentMethod: 'paypal' },
        mandate: { method: 'card' },
        problems: {},
        version: '0',
      })
    }
  })

  test('a second attempt to verify a method uses the same order, with the details of the second form', async () => {
    const scenario = await subscriptionScenario(june)
    const token = await billingToken(scenario)
    expect(await onProvidersPage(await submitMethod(token, 'paypal'), { outcome: 'failed' })).not.toEqual(toShop)
    const { form, version } = await openPage(token)
    const typed = new URLSearchParams({ ...form, city: 'Delft', paymentMethod: 'ideal', version })
    expect(await onProvidersPage(await submitBillingUpdate(token, typed, visitor))).toEqual(toShop)
    expect(await since(scenario)).toEqual({ events: verified, orders: ['paid ideal 0.00'] })
    expect(await subscriptionOf(scenario)).toMatchObject({
      mandate: { method: 'sepa_debit' },
      billingAddress: { city: 'Delft' },
    })
    expect((await openPage(token)).notice).toBeNull()
  })

  test.each(['creditcard', 'directdebit'])(
    'a pending %s mandate is not charged until the mandate is valid',
    async (method) => {
      const scenario = await subscriptionScenario(june)
      await onProvidersPage(await submitMethod(await billingToken(scenario), method), { mandate: 'pending' })
      expect(await since(scenario)).toEqual({ events: verified, orders: [`paid ${method} 0.00`] })
      await pass(scenario, 'P1M1D')
      expect((await since(scenario)).orders.at(-1)).toMatch(/^pending .* 100.00$/)
      expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'pending', attempts: [] })
      await activateMandate(scenario.id)
      await pass(scenario, 'PT1H')
      expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'paid', attempts: ['paid'] })
    },
  )
})

describe('a subscription', () => {
  test('a subscription has at most one open method verification, even if several forms and links are used', async () => {
    const scenario = await subscriptionScenario(june)
    const links = [await billingToken(scenario), await billingToken(scenario)]
    for (let n = 0; n < 10; n++) await submitMethod(links[n % 2] ?? '', testMethods[n % 5] ?? '')
    expect((await since(scenario)).orders).toEqual(['pending directdebit 0.00'])
    const atProvider = await db().sandbox_payments.groupBy({
      by: ['status'],
      where: { storefront_id: scenario.shop.storefrontId, amount: 0 },
      _count: true,
    })
    expect(atProvider).toEqual(
      expect.arrayContaining([
        { status: 'open', _count: 1 },
        { status: 'canceled', _count: 9 },
      ]),
    )
    await expect(
      db().orders.updateMany({
        where: { storefront_id: scenario.shop.storefrontId },
        data: { verifying_subscription_id: scenario.id },
      }),
    ).rejects.toThrow()
  })

  test('an open payment method verification ends if a billing update form keeps the current payment method', async () => {
    const scenario = await subscriptionScenario(june)
    const [first, second] = [await billingToken(scenario), await billingToken(scenario)]
    const page = await submitMethod(first, 'paypal')
    const { form, version } = await openPage(second)
    const kept = new URLSearchParams({ ...form, city: 'Delft', version })
    expect(await submitBillingUpdate(second, kept, visitor)).toEqual(toShop)
    // The provider's page for the earlier form is still open, but an outcome chosen there has no effect.
    expect(await onProvidersPage(page)).toEqual({ redirectTo: `/billing-update/${first}` })
    await drainTasks()
    expect(await since(scenario)).toEqual({ events: ['subscription.billing_updated'], orders: ['expired paypal 0.00'] })
    expect(await subscriptionOf(scenario)).toMatchObject({
      mandate: { method: 'card' },
      billingAddress: { city: 'Delft' },
    })
  })

  test('a payment method verification ends when its link expires', async () => {
    const scenario = await subscriptionScenario(june)
    const token = await billingToken(scenario)
    const next = await submitMethod(token, 'paypal')
    await pass(scenario, 'PT23H')
    expect(await since(scenario)).toEqual({ events: [], orders: ['pending paypal 0.00'] })
    await pass(scenario, 'PT1H')
    expect(await since(scenario)).toEqual({ events: [], orders: ['expired paypal 0.00'] })
    expect((await loadTestPayment(tokenOf(next?.redirectTo ?? ''))).view).toMatchObject({ state: 'done' })
    expect(await onProvidersPage(next)).toEqual({ redirectTo: `/billing-update/${token}` })
    expect(await chooseMethod(await billingToken(scenario), 'ideal')).toEqual(toShop)
    expect(await since(scenario)).toEqual({ events: verified, orders: ['expired paypal 0.00', 'paid ideal 0.00'] })
  })

  test('the end of a subscription ends its payment method verification without a further event', async () => {
    const scenario = await subscriptionScenario(june)
    const token = await billingToken(scenario)
    const next = await submitMethod(token, 'paypal')
    await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
    expect(await since(scenario)).toEqual({
      events: ['subscription.canceled_immediately'],
      orders: ['expired paypal 0.00'],
    })
    expect(await onProvidersPage(next)).toEqual({ redirectTo: `/billing-update/${token}` })
    expect(await subscriptionOf(scenario)).toMatchObject({ mandate: { method: 'card' } })
  })

  test('a subscription in its grace period or trial accepts a verified method', async () => {
    const scenario = await subscriptionScenario({ ...june, item: { trialDays: 14 } })
    expect(await chooseMethod(await billingToken(scenario), 'paypal')).toEqual(toShop)
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    expect(await chooseMethod(await billingToken(scenario), 'ideal')).toEqual(toShop)
    expect(await subscriptionOf(scenario)).toMatchObject({
      status: 'on_grace_period',
      mandate: { method: 'sepa_debit' },
    })
  })

  test('the API cannot simulate a payment method verification, because the buyer decides on the provider’s page', async () => {
    const scenario = await subscriptionScenario(june)
    const next = await submitMethod(await billingToken(scenario), 'paypal')
    const order = (await ordersOf(scenario)).at(-1)
    const simulate = `POST /v1/test-helpers/orders/${order.id}/simulate-payment`
    for (const paymentStatus of ['paid', 'failed'])
      expect(await ask(scenario, simulate, { paymentStatus })).toMatchObject({ status: 422 })
    await onProvidersPage(next, { outcome: 'failed' })
    for (const paymentStatus of ['paid', 'failed'])
      expect(await ask(scenario, simulate, { paymentStatus })).toMatchObject({ status: 422 })
    expect(await get(scenario.key, `/v1/orders/${order.id}`)).toMatchObject({ status: 'pending' })
  })
})

async function linkEmailed({ shop }: Scenario): Promise<string> {
  const texts = (await listEmails(shop.storefrontId)).reverse().map(({ text }) => text)
  return tokenOf(/http:\/\/billhook\.test\/billing-update\/\S+/.exec(texts.join('\n'))?.[0] ?? '')
}

describe('an outstanding payment', () => {
  test('an outstanding payment is charged when the new method is verified', async () => {
    const scenario = await failNextRenewal(await subscriptionScenario(june), 'card_expired')
    const token = await billingToken(scenario)
    const next = await submitMethod(token, 'paypal')
    await drainTasks()
    expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'pending', attempts: ['failed'] })
    await onProvidersPage(next, { outcome: 'failed', failureReason: 'fraud_suspected' })
    await drainTasks()
    expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'pending', attempts: ['failed'] })
    expect((await openPage(token)).due).toMatchObject({ reason: 'card_expired' })
    expect(await onProvidersPage(await submitMethod(token, 'paypal'))).toEqual(toShop)
    await drainTasks()
    expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'paid', attempts: ['failed', 'paid'] })
  })

  test('an unfinished verification of a new payment method does not stop the recovery of an outstanding payment', async () => {
    const scenario = await failNextRenewal(await subscriptionScenario(june), 'card_expired')
    await submitMethod(await linkEmailed(scenario), 'paypal')
    await pass(scenario, 'P8D')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
    expect((await ordersOf(scenario)).map(({ status }: { status: string }) => status)).toEqual([
      'paid',
      'canceled',
      'expired',
    ])
  })
})

test('the provider can decline a later charge of a payment method that a billing update verified', async () => {
  const scenario = await subscriptionScenario(june)
  await chooseMethod(await billingToken(scenario), 'paypal')
  await declineMandate(scenario.id, 'account_closed')
  await pass(scenario, 'P1M1D')
  expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'pending', attempts: ['failed'] })
  const inShop = { storefront_id: scenario.shop.storefrontId }
  const verification = await db().sandbox_payments.findFirstOrThrow({ where: { ...inShop, amount: 0 } })
  const charges = await db().sandbox_payments.findMany({ where: { ...inShop, mandate_ref: { not: null } } })
  expect(charges).toMatchObject([
    { method: 'paypal', mandate_ref: verification.ref, status: 'failed', failure_reason: 'account_closed' },
  ])
})
