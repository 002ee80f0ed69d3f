import { afterEach, describe, expect, it } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import { outstandingOf } from '../../modules/outstanding/outstanding.ts'
import { findSubscription } from '../../modules/subscriptions/store.ts'
import { now as clockNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMember } from '../../testing/operator.ts'
import {
  cancelAtOnce,
  failDebit,
  leaveMethod,
  type OwedSale,
  payOnPage,
  returnedDebit,
  statusesOf,
  subscriptionsOf,
  updatePageOf,
  visitor,
} from '../../testing/owed-sale.ts'
import { portalCookies, portalVisitor } from '../../testing/portal.ts'
import { sameBeginning } from '../../testing/same-beginning.ts'
import { onProvidersPage } from '../../testing/scenarios.ts'
import { eventsOf, tokenOf } from '../../testing/shop.ts'
import { drainTasks, get, pass } from '../../testing/subscription-scenario.ts'
import { declare } from '../../testing/withdrawal.ts'
import { subscriptionPage } from '../portal/load-portal.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { stakesOf } from '../subscription-change/stakes.ts'

/** In these tests, the bank has returned the direct debit that paid the first order of the subscriptions. */

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const euros = (value: string) => ({ value, currency: 'EUR' })
const portalOf = async ({ key, customerId, ids }: OwedSale, nth = 0) =>
  (await subscriptionPage(ids[nth] ?? '', portalVisitor(await portalCookies({ key, customerId }))))?.subscription
const aReturnedDebit = sameBeginning(returnedDebit)

const paymentsOf = async ({ orderId }: OwedSale) =>
  (await db().payments.findMany({ where: { order_id: orderId }, orderBy: { id: 'asc' } })).map(
    ({ method, status }) => `${method} ${status}`,
  )
const recoveryOf = ({ orderId }: OwedSale) => db().recoveries.findUniqueOrThrow({ where: { order_id: orderId } })
const kindsOf = async ({ shop }: OwedSale) => (await listEmails(shop.storefrontId)).map(({ kind }) => kind).reverse()

async function cancelNowOf({ shop, ids }: OwedSale, nth = 0) {
  const subscription = await findSubscription(db(), shop.scope, ids[nth] ?? '')
  const outstanding = await outstandingOf(db(), ids[nth] ?? '')
  if (!subscription) throw new Error('no subscription')
  return stakesOf('cancelNow', subscription, { outstanding, heldBack: null }, await clockNow(db(), shop.scope))
}

describe('the pages that show a sale with a returned debit', () => {
  it('the portal and the billing-update page show the unpaid amount of a sale with a returned debit', async () => {
    const sale = await aReturnedDebit()
    const due = { total: euros('119.00'), reason: 'insufficient_funds', chargedAgainAt: null }
    const unpaid = {
      total: euros('119.00'),
      endsEarlier: { at: expect.stringMatching(/^2027-06-27/) },
      isOfChange: false,
    }
    expect(await portalOf(sale)).toMatchObject({ due, toPay: euros('119.00'), unpaid })
    expect(await updatePageOf(sale)).toMatchObject({ state: 'open', due, needsMethod: true })
  })

  it('the admin area shows the unpaid amount of a sale with a returned debit, and what an immediate cancellation writes off or collects', async () => {
    const sale = await aReturnedDebit()
    expect(await outstandingOf(db(), sale.ids[0] ?? '')).toEqual([
      {
        orderId: sale.orderId,
        total: euros('119.00'),
        isOnItsWay: false,
        isShared: false,
        hasFailed: true,
        retryAt: null,
        writtenOffAt: expect.stringMatching(/^2027-06-27/),
      },
    ])
    expect(await cancelNowOf(sale)).toMatchObject({ writtenOff: euros('119.00'), collected: null })
    const shared = await returnedDebit({ products: 1 })
    expect(await cancelNowOf(shared)).toMatchObject({ writtenOff: null, collected: { total: euros('142.80') } })
  })

  it('a sale with a returned debit is shown for each of its subscriptions until it is paid', async () => {
    const sale = await aReturnedDebit({ plans: 2 })
    for (const nth of [0, 1]) expect(await portalOf(sale, nth)).toMatchObject({ due: { total: euros('238.00') } })
    await onProvidersPage(await payOnPage(sale, 'creditcard'))
    for (const nth of [0, 1]) expect(await portalOf(sale, nth)).toMatchObject({ due: null, unpaid: null })
  })
})

describe('a new payment method for a sale with a returned debit', () => {
  it('a new payment method immediately pays a sale with a returned debit and is used for later renewals', async () => {
    const sale = await aReturnedDebit()
    await leaveMethod(sale, 'creditcard')
    await drainTasks()
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'creditcard paid'])
    expect(await statusesOf(sale)).toEqual(['paid', 'paid'])
    expect((await get(sale.key, `/v1/orders/${sale.orderId}`)).invoiceNumber).toBe('TEST-INV-2027-000001')
    expect(await recoveryOf(sale)).toMatchObject({ status: 'recovered' })
    expect((await eventsOf(sale.shop)).slice(-4)).toEqual([
      'order.payment_failed',
      'subscription.billing_updated',
      'order.paid',
      'order.paid',
    ])
    expect(await kindsOf(sale)).toContain('payment_recovered')
    await pass(sale, 'P30D')
    expect(await statusesOf(sale)).toEqual(['paid', 'paid', 'paid'])
  })

  it('while a debit of an unpaid sale is pending, the checkout page accepts no other payment', async () => {
    const sale = await aReturnedDebit()
    await leaveMethod(sale, 'ideal')
    await drainTasks()
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'directdebit pending'])
    expect(await checkoutPage(sale.token, visitor)).toMatchObject({ state: 'pending', total: euros('119.00') })
    expect(await portalOf(sale)).toMatchObject({ due: null })
    expect((await payOnPage(sale, 'creditcard'))?.redirectTo).toBe(`/checkout/${sale.token}`)
    await pass(sale, 'PT1H')
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'directdebit paid'])
  })

  it('a new payment method whose debit fails is not charged again, and the recovery schedule does not change', async () => {
    const sale = await aReturnedDebit()
    const before = await recoveryOf(sale)
    await leaveMethod(sale, 'ideal')
    await drainTasks()
    await failDebit(sale)
    await pass(sale, 'PT1H')
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'directdebit failed'])
    expect(await recoveryOf(sale)).toEqual({ ...before, last_failed_at: expect.any(Date) })
    await onProvidersPage(await payOnPage(sale, 'paypal'))
    expect(await statusesOf(sale)).toEqual(['paid', 'paid'])
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'directdebit failed', 'paypal paid'])
  })

  it('a new payment method is charged after the buyer leaves the provider’s page of an open payment', async () => {
    const sale = await aReturnedDebit()
    const next = await payOnPage(sale, 'paypal')
    await leaveMethod(sale, 'creditcard')
    await drainTasks()
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'paypal open'])
    await onProvidersPage(next, { outcome: 'canceled' })
    await drainTasks()
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'paypal canceled', 'creditcard paid'])
  })

  it('a new payment method of one subscription pays the unpaid sale, so a later payment method of the other subscription is not charged', async () => {
    const sale = await aReturnedDebit({ plans: 2 })
    await leaveMethod(sale, 'creditcard', 1)
    await leaveMethod(sale, 'paypal', 0)
    await drainTasks()
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'creditcard paid'])
    await pass(sale, 'P30D')
    expect(await subscriptionsOf(sale)).toEqual(['active', 'active'])
  })

  it('a new payment method is not charged after the unpaid sale is paid or written off', async () => {
    const paid = await aReturnedDebit()
    await onProvidersPage(await payOnPage(paid, 'creditcard'))
    await leaveMethod(paid, 'paypal')
    const shared = await returnedDebit({ plans: 2 })
    await pass(shared, 'P22D')
    await drainTasks()
    expect(await paymentsOf(paid)).toEqual(['directdebit failed', 'creditcard paid'])
    expect(await paymentsOf(shared)).toEqual(['directdebit failed'])
  })
})

describe('an immediate cancellation with an unpaid sale', () => {
  it('canceling the last subscription of an unpaid sale writes off the sale, with a credit note', async () => {
    const sale = await aReturnedDebit()
    expect((await cancelAtOnce(sale)).status).toBe(204)
    await drainTasks()
    expect(await statusesOf(sale)).toEqual(['canceled', 'paid'])
    expect((await get(sale.key, '/v1/orders')).data[0].invoiceNumber).toBe('TEST-CN-2027-000001')
    expect(await recoveryOf(sale)).toMatchObject({ status: 'ended' })
    expect((await eventsOf(sale.shop)).slice(-2)).toEqual(['order.canceled', 'subscription.canceled_immediately'])
    const kinds = await kindsOf(sale)
    await pass(sale, 'P30D')
    expect(await kindsOf(sale)).toEqual(kinds)
    expect(await checkoutPage(sale.token, visitor)).toMatchObject({ state: 'canceled', isWrittenOff: true })
  })

  it('canceling one of two subscriptions leaves the sale unpaid until the other subscription ends', async () => {
    const sale = await aReturnedDebit({ plans: 2 })
    await cancelAtOnce(sale, 0)
    expect(await statusesOf(sale)).toEqual(['pending'])
    expect(await portalOf(sale, 1)).toMatchObject({ due: { total: euros('238.00') } })
    await cancelAtOnce(sale, 1)
    expect(await statusesOf(sale)).toEqual(['canceled', 'paid'])
  })

  it('canceling the subscription leaves the sale unpaid if the sale also contains a one-off product', async () => {
    const sale = await aReturnedDebit({ products: 1 })
    await cancelAtOnce(sale)
    expect(await statusesOf(sale)).toEqual(['pending'])
    expect(await recoveryOf(sale)).toMatchObject({ status: 'open' })
  })

  it.each([
    ['pays the sale', 'paid', ['paid', 'paid']],
    ['fails, and the sale is written off', 'failed', ['canceled', 'paid', 'paid']],
  ])(
    'a sale whose subscription is canceled waits for the outcome of its pending charge: the charge %s',
    async (_, outcome, statuses) => {
      const sale = await aReturnedDebit()
      await leaveMethod(sale, 'ideal')
      await drainTasks()
      await cancelAtOnce(sale)
      expect((await statusesOf(sale))[0]).toBe('pending')
      expect(await recoveryOf(sale)).toMatchObject({ status: 'ended' })
      if (outcome === 'failed') await failDebit(sale)
      await pass(sale, 'PT1H')
      expect((await statusesOf(sale)).sort()).toEqual([...statuses].sort())
      expect((await payOnPage(sale, 'paypal'))?.redirectTo).toBe(`/checkout/${sale.token}`)
    },
  )

  it('canceling the subscription cancels a payment that was not yet opened at the provider', async () => {
    const sale = await aReturnedDebit()
    await payOnPage(sale, 'paypal')
    // This update recreates the state that a process leaves if it is killed before it opens the payment at the
    // provider.
    await db()
      .$executeRaw`UPDATE payments SET status = 'created', provider_ref = NULL WHERE open_order_id = ${sale.orderId}`
    await db().$executeRaw`DELETE FROM tasks WHERE name = 'payment.sync'`
    await cancelAtOnce(sale)
    expect(await statusesOf(sale)).toEqual(['canceled', 'paid'])
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'paypal canceled'])
  })
})

it('the API cannot end the recovery of a sale', async () => {
  const sale = await aReturnedDebit()
  const reply = await send(`DELETE /v1/orders/${sale.orderId}/recovery`, { key: sale.key })
  expect(reply).toMatchObject({ status: 422, body: { code: 'renewal_order' } })
  await onProvidersPage(await payOnPage(sale, 'creditcard'))
  const later = await send(`DELETE /v1/orders/${sale.orderId}/recovery`, { key: sale.key })
  expect(later).toMatchObject({ status: 422, body: { code: 'order_not_in_recovery' } })
})

describe('a withdrawal from a whole purchase during its recovery', () => {
  const withdraw = async ({ orderId }: OwedSale) => {
    await declare(tokenOf(withdrawalPath(orderId)))
    await drainTasks()
  }
  const declaredTo = async ({ shop }: OwedSale) =>
    (await listEmails(shop.storefrontId)).filter(({ kind }) => kind === 'withdrawal_declared').map(({ text }) => text)

  it('a withdrawal without a pending payment ends the recovery immediately', async () => {
    const sale = await aReturnedDebit()
    await withdraw(sale)
    expect(await statusesOf(sale)).toEqual(['canceled', 'paid'])
    expect(await subscriptionsOf(sale)).toEqual(['canceled'])
  })

  it.each(['canceled', 'failed'])(
    'a withdrawal during a payment on the provider’s page cancels the order after the payment is %s',
    async (outcome) => {
      const sale = await aReturnedDebit()
      const next = await payOnPage(sale, 'creditcard')
      await withdraw(sale)
      expect(await recoveryOf(sale)).toMatchObject({ status: 'ended' })
      expect(await statusesOf(sale)).toEqual(['pending'])
      await onProvidersPage(next, { outcome })
      const kinds = await kindsOf(sale)
      await pass(sale, 'P30D')
      expect(await statusesOf(sale)).toEqual(['canceled', 'paid'])
      expect((await kindsOf(sale)).filter((kind) => kind === 'purchase_unpaid')).toHaveLength(1)
      expect(new Set(kinds).has('refund')).toBe(true)
    },
  )

  it('members are asked to refund a payment if it arrives after a withdrawal', async () => {
    const sale = await aReturnedDebit()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: sale.shop.storefrontId } })
    await aMember('owner-of-owed-sale@example.com', merchant_id, 'owner')
    const next = await payOnPage(sale, 'directdebit')
    await onProvidersPage(next, { outcome: 'paid' })
    await withdraw(sale)
    const [received] = (await listEmails(sale.shop.storefrontId)).filter(({ kind }) => kind === 'withdrawal_received')
    expect(received?.text).toContain('€119.00')
    await pass(sale, 'PT1H')
    expect(await statusesOf(sale)).toEqual(['paid'])
    expect(await subscriptionsOf(sale)).toEqual(['canceled'])
    const [arrived = ''] = await declaredTo(sale)
    expect(arrived.replaceAll(/\s+/g, ' ')).toContain(
      'The payment of €119.00 that was on its way when the buyer withdrew',
    )
    expect((await send(`POST /v1/orders/${sale.orderId}/refunds/full`, { key: sale.key, body: {} })).status).toBe(201)
  })
})
