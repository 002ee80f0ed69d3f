import { toWire } from '../../kernel/moment.ts'
import { emailsOf } from '../../modules/customers/store.ts'
import { hasWaiters } from '../../modules/ledger/store.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import { findOrders, insertOrders } from '../../modules/orders/store.ts'
import { applyProviderUpdate } from '../../modules/payments/apply-provider-update.ts'
import * as payments from '../../modules/payments/store.ts'
import { inRecovery } from '../../modules/recovery/store.ts'
import { writePeriods } from '../../modules/subscriptions/periods.ts'
import { subscriptionResource } from '../../modules/subscriptions/resource.ts'
import { amountOf, renew, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import * as store from '../../modules/subscriptions/store.ts'
import { setTimers } from '../../modules/subscriptions/timer.ts'
import { resolveFastForwards } from '../../modules/test-helpers/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { type BatchedTask, batchable, type TaskClaim } from '../../platform/jobs/tasks.ts'
import { StaleClaim, transact } from '../../platform/jobs/transact.ts'
import { chargeAtProvider } from '../collection/charge-at-provider.ts'
import { createPendingCharges, makeOrder, pendingCharge } from '../invoicing/bill.ts'
import { payOrders } from '../invoicing/pay-orders.ts'

/**
 * Renewals and charges in batches. The rules and the rows are the same as one by one, but one transaction writes many.
 * Whatever is not plain (the end of a trial, an update, a recovery, a decline) is left to be run alone. In an advance
 * of a test clock each task has its own moment, and they run in their order, up to the first that is not plain.
 */

type Renewal = BatchedTask<{ subscriptionId: string; endsAt: string }>

/** Renews plain subscriptions at the end of their period. Returns the claims of the completed tasks. */
export async function renewBatch(tenant: Tenant, tasks: readonly Renewal[]): Promise<TaskClaim[]> {
  const ends = new Map(tasks.map(({ data }) => [data.subscriptionId, data.endsAt]))
  const isPlain = ({ id, status, mandate, renewedUntil, scheduledUpdate, parked, ...terms }: Subscription) =>
    status === 'active' &&
    renewedUntil !== null &&
    toWire(renewedUntil) === ends.get(id) &&
    scheduledUpdate === null &&
    parked.length === 0 &&
    mandate !== null &&
    amountOf(terms) > 0n
  const found = (await store.findSubscriptions(db(), tenant, [...ends.keys()])).filter(isPlain)
  const recovering = await inRecovery(
    db(),
    found.map(({ id }) => id),
  )
  const possible = new Set(found.flatMap(({ id }) => (recovering.has(id) ? [] : id)))
  // A timer that is set anew leaves its old task behind without effect. That task is not plain, even if its
  // subscription is.
  const plain = batchable(
    tasks,
    ({ data }) => possible.has(data.subscriptionId) && ends.get(data.subscriptionId) === data.endsAt,
  )
  if (plain.length === 0) return []
  const claims = plain.map((task) => task.claim)

  await transact({ ...tenant, claim: claims }, async (tx) => {
    const { sql, emitAll } = tx
    const ids = plain.map(({ data }) => data.subscriptionId)
    const locked = new Map((await store.lockSubscriptions(sql, tenant, ids)).map((each) => [each.id, each]))
    if (locked.size !== ids.length || (await inRecovery(sql, ids)).size > 0) throw new StaleClaim()
    const emails = await emailsOf(
      sql,
      tenant,
      [...locked.values()].map(({ customerId }) => customerId),
    )
    const renewed = plain.map(({ claim, data }) => {
      const subscription = locked.get(data.subscriptionId)
      const own = tx.at(claim)
      const due = subscription?.renewedUntil
      if (!subscription || !isPlain(subscription) || !due || due > own.now) throw new StaleClaim()
      const { next, lines, reason } = renew(subscription, { due, now: own.now })
      const order = makeOrder(own, next, lines, {
        email: emails.get(next.customerId) ?? null,
        describe: () => ({ description: next.name, invoiceDescription: null }), // a plain renewal has the one line of its period
      })
      return { next, order, reason, own, payment: pendingCharge(own, next, order, { simulated: false }) }
    })
    const all = renewed.map(({ next }) => next)
    await store.saveSubscriptions(sql, all)
    await emitAll(
      renewed.map(({ next, reason, own }) => ({
        name: 'subscription.updated',
        reason,
        object: subscriptionResource(next),
        ...(own !== tx && { at: own.now }),
      })),
    )
    await insertOrders(
      sql,
      tenant,
      renewed.map(({ order }) => order),
    )
    await createPendingCharges(
      tx,
      renewed.flatMap(({ payment }) => payment ?? []),
    )
    await writePeriods(
      tx,
      renewed.map(({ next, order, own }) => ({ subscription: next, orderId: order.id, own })),
    )
    await setTimers(tx, all)
  })
  return claims
}

/**
 * Charges mandates, and posts what was paid or is on its way. Returns the claims of the completed tasks; declines are
 * not among them.
 */
export async function chargeBatch(
  tenant: Tenant,
  tasks: readonly BatchedTask<{ paymentId: string }>[],
): Promise<TaskClaim[]> {
  // While refunds wait for money, each payment must release those that it covers at its own moment.
  const isAlone = (sql: Sql) => tasks[0]?.claim.moment !== undefined && hasWaiters(sql, tenant)
  if (await isAlone(db())) return []
  const intended = await payments.findPayments(
    db(),
    tenant,
    tasks.map(({ data }) => data.paymentId),
  )
  const moments = new Map(tasks.map(({ data, claim }) => [data.paymentId, claim.moment]))
  const update = await chargeAtProvider(tenant, intended, moments)
  const orders = await findOrders(
    db(),
    tenant,
    intended.map(({ orderId }) => orderId),
  )
  const subscriptionOf = new Map(orders.map(({ id, subscriptionId }) => [id, subscriptionId ?? '']))
  const recovering = await inRecovery(db(), [...subscriptionOf.values()])
  const orderOf = new Map(intended.map(({ id, orderId }) => [id, orderId]))
  const plain = batchable(tasks, ({ data }) => {
    const status = update.get(data.paymentId)?.status
    const orderId = orderOf.get(data.paymentId) ?? ''
    return (status === 'paid' || status === 'pending') && !recovering.has(subscriptionOf.get(orderId) ?? '')
  })
  if (plain.length === 0) return []
  const ids = plain.map(({ data }) => data.paymentId)
  const claims = plain.map((task) => task.claim)

  await transact({ ...tenant, claim: claims }, async (tx) => {
    const { sql, emitAll } = tx
    const subscriptionIds = ids.map((id) => subscriptionOf.get(orderOf.get(id) ?? '') ?? '')
    await store.lockSubscriptions(sql, tenant, subscriptionIds)
    const current = new Map((await payments.findPayments(sql, tenant, ids)).map((payment) => [payment.id, payment]))
    if ((await inRecovery(sql, subscriptionIds)).size > 0 || (await isAlone(sql))) throw new StaleClaim()
    const settled = plain.map(({ claim, data }) => {
      const own = tx.at(claim)
      const payment = current.get(data.paymentId)
      const reported = update.get(data.paymentId)
      const outcome = payment?.status === 'created' && reported ? applyProviderUpdate(payment, reported, own.now) : null
      if (!outcome) throw new StaleClaim()
      return { outcome, own }
    })
    await payments.savePayments(
      sql,
      settled.map(({ outcome }) => outcome),
    )
    const paidBy = settled.filter(({ outcome }) => outcome.status === 'paid')
    const unpaid = await findOrders(
      sql,
      tenant,
      paidBy.map(({ outcome }) => outcome.orderId),
    )
    const byId = new Map(unpaid.map((order) => [order.id, order]))
    const payables = paidBy.map(({ outcome, own }) => {
      const order = byId.get(outcome.orderId)
      if (!order) throw new Error(`payment ${outcome.id} has no order`)
      return { order, method: outcome.method, own }
    })
    const paid = await payOrders(tx, payables)
    await resolveFastForwards(
      sql,
      paid.map(({ id }) => id),
    )
    await emitAll(
      paid.map((order, index) => {
        const { own } = payables[index] ?? {}
        return { name: 'order.paid', object: orderResource(order), ...(own && own !== tx && { at: own.now }) }
      }),
    )
  })
  return claims
}
