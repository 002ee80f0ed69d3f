import { afterEach, describe, expect, it, test } from 'vitest'
import { transact } from '../../modules/events/transact.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { syncChargeback } from '../../modules/payments/tasks.ts'
import { unpaidFrom } from '../../modules/subscriptions/periods.ts'
import { db } from '../../platform/db/db.ts'
import { moveChargeback, raiseChargeback } from '../../providers/sandbox/money-back.ts'
import { price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { sameBeginning } from '../../testing/same-beginning.ts'
import { eventsOf } from '../../testing/shop.ts'
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
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { declineMandate, returnDebits } from '../test-helpers/mandates.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

/** The renewal is paid on 1 July. The bank returns the debit on 6 July. */
const paidRenewal = sameBeginning(async (): Promise<Scenario> => {
  const scenario = await subscriptionScenario({ at: '2027-06-01T00:00:00Z', buyer: { paymentMethod: 'ideal' } })
  await returnDebits(scenario.id)
  await pass(scenario, 'P1M1D')
  expect(await renewalOf(scenario)).toMatchObject({ status: 'paid' })
  return scenario
})

const renewalOf = async (scenario: Scenario) => (await ordersOf(scenario))[1]
const chargebacksOf = async ({ key }: Scenario) => (await get(key, '/v1/chargebacks')).data
const recoveryOf = ({ id }: Scenario) => db().recoveries.findFirst({ where: { subscription_id: id } })
const eventsAfter = async ({ shop }: Scenario, last: number) => (await eventsOf(shop)).slice(-last)

const returnedPayment = ({ shop: { storefrontId } }: Scenario) =>
  db().payments.findFirstOrThrow({ where: { storefront_id: storefrontId, return_ref: { not: null } } })

const noticeAgain = async ({ shop: { scope } }: Scenario, ref: string, paymentRef: string) => {
  await transact(scope, ({ now, enqueue }) =>
    enqueue(syncChargeback, { key: ref, data: { ref, paymentRef }, dueAt: now }),
  )
  await drainTasks()
}

describe('an order after the return of its debit', () => {
  test('an order whose debit was returned stays unpaid even if the provider still reports the payment as paid', async () => {
    const scenario = await paidRenewal()
    await pass(scenario, 'P5D')
    const { provider_ref } = await returnedPayment(scenario)
    await syncWithProvider(scenario.shop.scope, provider_ref ?? '')
    await drainTasks()
    expect(await renewalOf(scenario)).toMatchObject({ status: 'pending' })
    expect(await eventsAfter(scenario, 1)).toEqual(['order.payment_failed'])
  })

  test('the period of a returned debit is unpaid until a retry pays the period', async () => {
    const scenario = await paidRenewal()
    await pass(scenario, 'P5D')
    await declineMandate(scenario.id, null)
    expect((await unpaidFrom(db(), scenario.id))?.toISOString()).toMatch(/^2027-07-01/)
    await pass(scenario, 'P2DT1H')
    expect(await unpaidFrom(db(), scenario.id)).toBeNull()
  })

  test('a second notice of a returned debit changes nothing, even after the order is paid again', async () => {
    const scenario = await paidRenewal()
    await pass(scenario, 'P5D')
    const { provider_ref, return_ref } = await returnedPayment(scenario)
    const before = await eventsOf(scenario.shop)
    await noticeAgain(scenario, return_ref ?? '', provider_ref ?? '')
    expect(await eventsOf(scenario.shop)).toEqual(before)
    await declineMandate(scenario.id, null)
    await pass(scenario, 'P2DT1H')
    await noticeAgain(scenario, return_ref ?? '', provider_ref ?? '')
    expect(await renewalOf(scenario)).toMatchObject({ status: 'paid' })
  })

  it.each([
    ['fraud', 'canceled', 'payment_failure'],
    ['product_not_received', 'active', null],
  ])(
    'a dispute for %s after a returned debit deducts no money, and the status of the subscription is then %s',
    async (reason, status, cancellationReason) => {
      const scenario = await paidRenewal()
      await pass(scenario, 'P5D')
      const { provider_ref, amount } = await returnedPayment(scenario)
      const disputed = { amount: { minor: amount, currency: 'EUR' as const }, reason }
      const ref = await raiseChargeback(scenario.shop.scope, provider_ref ?? '', disputed)
      await noticeAgain(scenario, ref, provider_ref ?? '')
      expect(await chargebacksOf(scenario)).toEqual([])
      expect(await subscriptionOf(scenario)).toMatchObject({ status, cancellationReason })
      const before = await eventsOf(scenario.shop)
      await noticeAgain(scenario, ref, provider_ref ?? '')
      expect(await eventsOf(scenario.shop)).toEqual(before)
    },
  )

  test('an immediate cancellation by the merchant writes off the order of a returned debit', async () => {
    const scenario = await paidRenewal()
    await pass(scenario, 'P5D')
    await ask(scenario, 'DELETE /v1/subscriptions/{id}', { immediately: true })
    const [, order, note] = await ordersOf(scenario)
    expect(order).toMatchObject({ status: 'canceled', invoiceNumber: 'TEST-INV-2027-000002' })
    expect(note).toMatchObject({ invoiceNumber: 'TEST-CN-2027-000001', total: order.total })
    expect(await recoveryOf(scenario)).toMatchObject({ status: 'ended' })
  })
})

describe('the return of a debit', () => {
  test('a debit that is returned in a grace period is retried, and the subscription ends if every retry fails', async () => {
    const scenario = await paidRenewal()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await pass(scenario, 'P5D')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'on_grace_period' })
    expect(await recoveryOf(scenario)).toMatchObject({ status: 'open', kind: 'soft' })
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P22D')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled' })
    expect((await ordersOf(scenario)).map(({ status }: { status: string }) => status)).toEqual([
      'paid',
      'canceled',
      'paid',
    ])
  })

  test('if an earlier period is written off during a grace period, the subscription lasts until the end of the later, paid period', async () => {
    const scenario = await paidRenewal()
    const paid = { paymentStatus: 'paid' }
    await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', paid)
    await drainTasks()
    await declineMandate(scenario.id, 'insufficient_funds')
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    const before = await subscriptionOf(scenario)
    await pass(scenario, 'P28D')
    expect(await renewalOf(scenario)).toMatchObject({ status: 'canceled' })
    expect(await subscriptionOf(scenario)).toEqual(before)
    expect(await eventsAfter(scenario, 1)).toEqual(['order.canceled'])
    await ask(scenario, 'POST /v1/subscriptions/{id}/resume')
    await declineMandate(scenario.id, null)
    await pass(scenario, 'P1M5D')
    const [, , , note, next] = await ordersOf(scenario)
    expect([note.invoiceNumber, next.total]).toEqual(['TEST-CN-2027-000001', price('100.00')])
    expect(await subscriptionOf(scenario)).toMatchObject({ renewedAt: before.renewedUntil })
  })

  test('a debit is written off immediately if it is returned after the end of the subscription', async () => {
    const scenario = await paidRenewal()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}', { immediately: true })
    await pass(scenario, 'P5D')
    expect(await renewalOf(scenario)).toMatchObject({ status: 'canceled', invoiceNumber: 'TEST-INV-2027-000002' })
    expect((await ordersOf(scenario))[2]).toMatchObject({ invoiceNumber: 'TEST-CN-2027-000001' })
    expect(await eventsAfter(scenario, 2)).toEqual(['order.payment_failed', 'order.canceled'])
  })

  it.each([
    ['a part', '10.00', '90.00'],
    ['the whole amount', '100.00', '0.00'],
  ])(
    'the return of a debit after a refund of %s is a chargeback of the remaining amount',
    async (_, refunded, left) => {
      const scenario = await paidRenewal()
      const { id, lines } = await renewalOf(scenario)
      const items = [{ itemId: lines[0].id, amount: price(refunded) }]
      const refund = await ask(scenario, `POST /v1/orders/${id}/refunds`, { items })
      expect(refund.status).toBe(201)
      await pass(scenario, 'P6D')
      expect(await get(scenario.key, `/v1/refunds/${refund.body.id}`)).toMatchObject({ status: 'refunded' })
      expect(await renewalOf(scenario)).toMatchObject({ status: 'paid', reversedSubtotal: price('100.00') })
      expect(await chargebacksOf(scenario)).toMatchObject([
        { status: 'lost', reason: 'insufficient_funds', total: price(left) },
      ])
      expect(await recoveryOf(scenario)).toBeNull()
    },
  )

  test('a returned debit and a dispute of the same payment are deducted only once', async () => {
    const scenario = await paidRenewal()
    const { id } = await renewalOf(scenario)
    const { provider_ref, amount } = await db().payments.findFirstOrThrow({ where: { order_id: id } })
    const disputed = { amount: { minor: amount, currency: 'EUR' as const }, reason: 'product_not_received' }
    const ref = await raiseChargeback(scenario.shop.scope, provider_ref ?? '', disputed)
    await noticeAgain(scenario, ref, provider_ref ?? '')
    await pass(scenario, 'P6D')
    const totals = async () => (await chargebacksOf(scenario)).map(({ total }: { total: object }) => total)
    expect(await totals()).toEqual([price('0.00'), price('100.00')])
    await moveChargeback(scenario.shop.scope, ref, 'lost')
    await noticeAgain(scenario, ref, provider_ref ?? '')
    expect(await totals()).toEqual([price('0.00'), price('100.00')])
    expect(await renewalOf(scenario)).toMatchObject({ status: 'paid', reversedSubtotal: price('100.00') })
    expect(await recoveryOf(scenario)).toBeNull()
  })

  test('if the debit for a change is returned and every retry fails, the change is undone', async () => {
    const scenario = await subscriptionScenario({ at: '2027-06-01T00:00:00Z', buyer: { paymentMethod: 'ideal' } })
    await returnDebits(scenario.id)
    const change = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', change)).status).toBe(200)
    await pass(scenario, 'P1D')
    expect(await renewalOf(scenario)).toMatchObject({ status: 'paid' })
    await pass(scenario, 'P5D')
    expect(await recoveryOf(scenario)).toMatchObject({ status: 'open', collects: 'change' })
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P22D')
    const { id } = await renewalOf(scenario)
    expect(await findOrder(db(), scenario.shop.scope, id)).toMatchObject({ status: 'canceled' })
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active', quantity: 1 })
  })
})
