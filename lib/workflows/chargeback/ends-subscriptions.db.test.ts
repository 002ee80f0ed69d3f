import { afterAll, afterEach, describe, expect, it, test, vi } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { db } from '../../platform/db/db.ts'
import { aCheckout, aPlan, pay, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { revokedAtProvider } from '../../testing/revoked-at-provider.ts'
import { billingToken, chooseMethod } from '../../testing/scenarios.ts'
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
import { setDisputesTyped } from '../storefronts/operations.ts'
import { pause, unpause } from '../subscription-change/operations.ts'
import { declineMandate } from '../test-helpers/mandates.ts'
import { move, raise, syncNow } from './operations.ts'

afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const renewed = async (given: Parameters<typeof subscriptionScenario>[0] = {}) => {
  const scenario = await subscriptionScenario(given)
  await pass(scenario, 'P1M1D')
  return scenario
}

const lastOrder = async (scenario: Scenario) => (await ordersOf(scenario)).at(-1)

const eventsOf = async ({ id }: Scenario) => {
  const rows = await db().events.findMany({ where: { entity_id: id }, orderBy: { id: 'asc' }, select: { name: true } })
  return rows.map(({ name }) => name.replace('subscription.', ''))
}

const emailsOf = async ({ shop }: Pick<Scenario, 'shop'>, kind: string) =>
  (await listEmails(shop.storefrontId)).filter((each) => each.kind === kind)

const mandateOf = async ({ id }: Scenario) =>
  (await db().subscriptions.findUniqueOrThrow({ where: { id }, select: { mandate_id: true } })).mandate_id

async function dispute(scenario: Scenario, reason = 'fraud', amount?: string) {
  const { id } = await lastOrder(scenario)
  const { chargebackId } = await raise(id, { reason, amount })
  await drainTasks()
  return chargebackId
}

test('a lost dispute for fraud cancels the subscription and prevents further charges', async () => {
  const scenario = await renewed()
  const chargebackId = await dispute(scenario)
  await move(chargebackId, 'lost')
  await drainTasks()
  expect(await subscriptionOf(scenario)).toMatchObject({
    status: 'canceled',
    cancellationReason: 'payment_failure',
    mandate: null,
    nextRenewalAt: null,
    endedAt: expect.any(String),
  })
  const before = await ordersOf(scenario)
  await pass(scenario, 'P3M')
  expect(await ordersOf(scenario)).toHaveLength(before.length)
  expect(await eventsOf(scenario)).toEqual(['started', 'updated', 'canceled_with_grace_period', 'canceled_immediately'])
})

describe('a received dispute', () => {
  it.each([
    ['fraud', 'payment_failure'],
    ['subscription_canceled', 'customer_request'],
  ])(
    'a dispute for %s ends the subscription after the paid period, with the reason %s',
    async (reason, cancellationReason) => {
      const scenario = await renewed()
      const { renewedUntil } = await subscriptionOf(scenario)
      await dispute(scenario, reason)
      expect(await subscriptionOf(scenario)).toMatchObject({
        status: 'on_grace_period',
        cancellationReason,
        mandate: null,
        renewedUntil,
        nextRenewalAt: null,
        canceledAt: expect.any(String),
        endedAt: null,
      })
      await pass(scenario, 'P2M')
      expect(await subscriptionOf(scenario)).toMatchObject({
        status: 'canceled',
        cancellationReason,
        endedAt: renewedUntil,
      })
    },
  )

  it.each(['product_not_received', 'duplicate', 'general', 'Fraud alert', 'constructor'])(
    'a dispute for %s does not change the subscription, even if the merchant loses the dispute',
    async (reason) => {
      const scenario = await renewed()
      const before = await subscriptionOf(scenario)
      await move(await dispute(scenario, reason), 'lost')
      expect(await subscriptionOf(scenario)).toEqual(before)
    },
  )

  it('a dispute for fraud marks the mandate as disputed, and revokes the mandate once at the provider', async () => {
    const scenario = await renewed()
    const revoked = revokedAtProvider()
    const id = (await mandateOf(scenario)) ?? ''
    const { chargebackId } = await raise((await lastOrder(scenario)).id, { reason: 'fraud' })
    expect(await db().mandates.findUnique({ where: { id } })).toMatchObject({ disputed_at: expect.any(Date) })
    expect(await db().tasks.count({ where: { name: 'mandate.revoke', key: id } })).toBe(1)
    await drainTasks()
    const mandate = await db().mandates.findUniqueOrThrow({ where: { id } })
    expect(mandate.revoked_at).toEqual(expect.any(Date))
    expect(revoked).toEqual([mandate.provider_ref])
    const before = await eventsOf(scenario)
    const { provider_ref: ref, order_id: orderId } = await db().chargebacks.findUniqueOrThrow({
      where: { id: chargebackId },
    })
    await syncNow(scenario.shop.scope, { ref, orderId })
    await drainTasks()
    expect(await eventsOf(scenario)).toEqual(before)
    expect(revoked).toHaveLength(1)
  })

  it('the email about a dispute for fraud states the reason and the end of the paid time', async () => {
    const scenario = await renewed()
    await dispute(scenario)
    const [email, ...more] = await emailsOf(scenario, 'cancellation')
    expect(more).toEqual([])
    expect(email?.text).toContain('was disputed with your bank or payment provider')
    expect(email?.text).toContain('You can use it until')
  })

  it('a dispute above the order total prevents charges, and the subscription ends when the dispute is accepted', async () => {
    const scenario = await renewed()
    const chargebackId = await dispute(scenario, 'fraud', '5000.00')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'on_grace_period', mandate: null })
    await move(chargebackId, 'accepted')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
  })

  it('a subscription is not restored if its dispute is won or rejected', async () => {
    for (const [amount, to] of [
      [undefined, 'won'],
      ['5000.00', 'rejected'],
    ] as const) {
      const scenario = await renewed()
      await move(await dispute(scenario, 'fraud', amount), to)
      expect(await subscriptionOf(scenario)).toMatchObject({ status: 'on_grace_period', mandate: null })
    }
  })

  it('a dispute of a purchase ends every subscription of the purchase', async () => {
    const scenario = await subscriptionScenario()
    const { id: other } = await aPlan(scenario.key, { basePrice: price('10.00') })
    const products = [{ id: scenario.planId }, { id: other, trialDays: 10 }]
    const checkout = await aCheckout(scenario.key, scenario.planId, { products })
    const { customerId } = await pay(scenario.key, checkout, { email: 'grace@example.com' })
    await drainTasks()
    await dispute(scenario)
    const { data } = await get(scenario.key, `/v1/customers/${customerId}/subscriptions`)
    expect(data).toHaveLength(2)
    for (const each of data) expect(each).toMatchObject({ status: 'on_grace_period', mandate: null })
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active', mandate: { method: 'card' } })
  })

  it('a second subscription on the mandate of a disputed payment continues, and its customer is asked for a new method', async () => {
    const scenario = await subscriptionScenario()
    const { id: other } = await aPlan(scenario.key, { basePrice: price('10.00'), interval: 'year' })
    const products = [{ id: scenario.planId }, { id: other }]
    const checkout = await aCheckout(scenario.key, scenario.planId, { products })
    const { customerId } = await pay(scenario.key, checkout, { email: 'grace@example.com' })
    await pass(scenario, 'P1M1D')
    const subscriptions = (await get(scenario.key, `/v1/customers/${customerId}/subscriptions`)).data
    const monthly = subscriptions.find((each: { interval: string }) => each.interval === 'month')
    const yearly = { ...scenario, id: subscriptions.find((each: { interval: string }) => each.interval === 'year').id }
    const orders = (await get(scenario.key, `/v1/customers/${customerId}/subscriptions`)) && (await ordersOf(scenario))
    const renewal = orders.find(
      (order: { lines: { productId: string }[]; customerId: string; status: string }) =>
        order.customerId === customerId && order.lines.every(({ productId }) => productId === monthly.id),
    )
    await raise(renewal.id, { reason: 'fraud' })
    await drainTasks()
    expect(await get(scenario.key, `/v1/subscriptions/${monthly.id}`)).toMatchObject({ status: 'on_grace_period' })
    expect(await subscriptionOf(yearly)).toMatchObject({ status: 'active', mandate: null })
    expect((await eventsOf(yearly)).at(-1)).toBe('billing_updated')
    const [email] = await emailsOf(scenario, 'payment_method_missing')
    expect(email).toMatchObject({ to: 'grace@example.com', subject: expect.stringContaining('needs a payment method') })
    await ask(yearly, 'DELETE /v1/subscriptions/{id}')
    await ask(yearly, 'POST /v1/subscriptions/{id}/resume')
    const [, again] = await emailsOf(scenario, 'payment_method_missing')
    for (const each of [email, again]) expect(each?.text).toContain('no longer has a payment method')
    await pass(scenario, 'P1Y')
    expect(await subscriptionOf(yearly)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
    expect(await db().payments.count({ where: { order: { subscription_id: yearly.id } } })).toBe(0)
  })
})

describe('a dispute for fraud of a subscription in each state', () => {
  it('after a dispute for fraud, a paused subscription ends with its paid period', async () => {
    const scenario = await renewed()
    await pause(scenario.shop.scope, scenario.id)
    await dispute(scenario)
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'on_grace_period', nextRenewalAt: null })
    await pass(scenario, 'P2M')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled' })
  })

  it('a dispute during a grace period does not change the end of the period, but a lost dispute ends the subscription immediately', async () => {
    const scenario = await renewed()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    const before = await subscriptionOf(scenario)
    const chargebackId = await dispute(scenario)
    expect(await subscriptionOf(scenario)).toEqual({ ...before, mandate: null })
    expect(await eventsOf(scenario)).toEqual(['started', 'updated', 'canceled_with_grace_period', 'billing_updated'])
    await move(chargebackId, 'lost')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', canceledAt: before.canceledAt })
  })

  it('a dispute for fraud does not change a canceled subscription', async () => {
    const scenario = await renewed()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
    const before = await subscriptionOf(scenario)
    await move(await dispute(scenario), 'lost')
    expect(await subscriptionOf(scenario)).toEqual(before)
  })

  it('after a dispute for fraud, a subscription in a trial ends with the trial', async () => {
    const scenario = await renewed()
    const { renewedUntil } = await subscriptionOf(scenario)
    const trialUntil = new Date(Date.parse(renewedUntil) + 5 * 86_400_000).toISOString()
    expect(
      (await ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 2, trialUntil, applyImmediately: true })).status,
    ).toBe(200)
    await dispute(scenario)
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'on_grace_period' })
    await pass(scenario, 'P2M')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled' })
    expect(await ordersOf(scenario)).toHaveLength(2)
  })

  it.each([
    ['an active subscription', false],
    ['a subscription in a grace period', true],
  ])('after a dispute for fraud, %s ends with the paid time if the next period is unpaid', async (_, isCanceled) => {
    const scenario = await renewed()
    const { id } = await lastOrder(scenario)
    const { renewedUntil } = await subscriptionOf(scenario)
    const failing = { paymentStatus: 'failed', failureReason: 'insufficient_funds' }
    await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', failing)
    await drainTasks()
    if (isCanceled) await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await raise(id, { reason: 'fraud' })
    await drainTasks()
    expect(await subscriptionOf(scenario)).toMatchObject({
      status: 'on_grace_period',
      renewedUntil,
      paidUntil: renewedUntil,
      recovery: null,
    })
    await pass(scenario, 'P1M')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', endedAt: renewedUntil })
  })

  it('after a dispute for fraud, a subscription whose current period is unpaid ends immediately', async () => {
    const scenario = await renewed()
    const { id } = await lastOrder(scenario)
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P1M')
    expect(await lastOrder(scenario)).toMatchObject({ status: 'pending' })
    await raise(id, { reason: 'fraud' })
    await drainTasks()
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
    expect(await lastOrder(scenario)).toMatchObject({ status: 'canceled' })
  })
})

describe('a resumed subscription', () => {
  it('a subscription that was resumed after a dispute continues on a new method, even if the dispute is lost', async () => {
    const scenario = await renewed()
    const chargebackId = await dispute(scenario)
    expect((await ask(scenario, 'POST /v1/subscriptions/{id}/resume')).body).toMatchObject({
      status: 'active',
      mandate: null,
      cancellationReason: null,
    })
    const [email, ...more] = await emailsOf(scenario, 'payment_method_missing')
    expect(more).toEqual([])
    expect(email?.text).toContain('/billing-update/')
    await chooseMethod(await billingToken(scenario), 'paypal')
    await drainTasks()
    await move(chargebackId, 'lost')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active', mandate: { method: 'paypal' } })
    await pass(scenario, 'P1M')
    expect(await lastOrder(scenario)).toMatchObject({ status: 'paid', paymentMethod: 'paypal' })
  })

  it('the email about a payment method that could not be saved states this cause even after a dispute of another purchase', async () => {
    const scenario = await renewed()
    await dispute(scenario)
    const checkout = await aCheckout(scenario.key, scenario.planId, { customerId: scenario.customerId })
    await pay(scenario.key, checkout)
    const subscriptions = (await get(scenario.key, `/v1/customers/${scenario.customerId}/subscriptions`)).data
    const other = { ...scenario, id: subscriptions.find(({ id }: { id: string }) => id !== scenario.id).id }
    await ask(other, 'DELETE /v1/subscriptions/{id}')
    // Simulates a payment method that could not be saved, because the test provider saves every payment method.
    await db().subscriptions.update({ where: { id: other.id }, data: { mandate_id: null } })
    // A dispute for this reason does not remove the payment method.
    await dispute(other, 'product_not_received')
    for (const each of [other, scenario]) await ask(each, 'POST /v1/subscriptions/{id}/resume')
    const emails = await emailsOf(scenario, 'payment_method_missing')
    const isUnsaved = ({ id }: Scenario) =>
      emails.find(({ subscriptionId }) => subscriptionId === id)?.text?.includes('We could not save the payment method')
    expect([other, scenario].map(isUnsaved)).toEqual([true, false])
  })

  it('the customer of a paused subscription is asked for a new payment method only when the pause ends', async () => {
    const scenario = await renewed()
    await pause(scenario.shop.scope, scenario.id)
    await dispute(scenario)
    await ask(scenario, 'POST /v1/subscriptions/{id}/resume')
    expect(await emailsOf(scenario, 'payment_method_missing')).toEqual([])
    await unpause(scenario.shop.scope, scenario.id)
    expect(await emailsOf(scenario, 'payment_method_missing')).toHaveLength(1)
  })
})

test('a lost dispute does not change a subscription if the storefront setting for disputed subscriptions is off', async () => {
  const scenario = await renewed()
  await setDisputesTyped(scenario.shop.storefrontId, false)
  const before = await subscriptionOf(scenario)
  await move(await dispute(scenario), 'lost')
  expect(await subscriptionOf(scenario)).toEqual(before)
  await setDisputesTyped(scenario.shop.storefrontId, true)
  await pass(scenario, 'P1M')
  expect(await lastOrder(scenario)).toMatchObject({ status: 'paid' })
  await expect(setDisputesTyped('storefront_0', true)).rejects.toMatchObject({ code: 'validation_failed' })
})
