import { emailsOf } from '../customers/store.ts'
import { toWire } from '../kernel/moment.ts'
import { payOrders } from '../orders/pay.ts'
import { orderResource } from '../orders/resource.ts'
import { findOrders, insertOrders } from '../orders/store.ts'
import { chargeAtProvider } from '../payments/charge.ts'
import { hear } from '../payments/hear.ts'
import * as payments from '../payments/store.ts'
import type { Scope } from '../platform/clock.ts'
import { db } from '../platform/db.ts'
import type { Ringing, TogetherTask } from '../platform/tasks.ts'
import { Fenced, transact } from '../platform/transact.ts'
import { inRecovery } from '../recovery/store.ts'
import { resolveFastForwards } from '../testmode/store.ts'
import { intend, intendedCharge, makeOrder } from './bill.ts'
import { writePeriods } from './periods.ts'
import { subscriptionResource } from './resource.ts'
import { amountOf, renew, type Subscription } from './rules/index.ts'
import * as store from './store.ts'
import { setTimers } from './timer.ts'

/**
 * Renewals and charges by the dozen. They are the same rules and the same rows as one by one, written in one transaction for
 * many; what is not plain (a trial that ends, an update, a recovery, a decline) is left to be done alone.
 */

type Renewal = TogetherTask<{ subscriptionId: string; endsAt: string }>

/** Renews plain subscriptions whose period is over. Answers the tasks that are done. */
export async function renewTogether(scope: Scope, tasks: readonly Renewal[]): Promise<Ringing[]> {
  const due = new Map(tasks.map((task) => [task.data.subscriptionId, task]))
  const isPlain = ({ id, status, mandate, renewedUntil, scheduledUpdate, parked, ...terms }: Subscription) =>
    status === 'active' &&
    renewedUntil !== null &&
    toWire(renewedUntil) === due.get(id)?.data.endsAt &&
    scheduledUpdate === null &&
    parked.length === 0 &&
    mandate !== null &&
    amountOf(terms) > 0n
  const found = (await store.findSubscriptions(db(), scope, [...due.keys()])).filter(isPlain)
  const recovering = await inRecovery(
    db(),
    found.map(({ id }) => id),
  )
  const plain = found.filter(({ id }) => !recovering.has(id))
  if (plain.length === 0) return []
  const ringing = plain.flatMap(({ id }) => due.get(id)?.ringing ?? [])

  await transact({ ...scope, ringing }, async (work) => {
    const { sql, now, emitEach } = work
    const ids = plain.map(({ id }) => id)
    const locked = await store.lockSubscriptions(sql, scope, ids)
    const isUnchanged = locked.length === ids.length && locked.every(isPlain) && (await inRecovery(sql, ids)).size === 0
    if (!isUnchanged || locked.some(({ renewedUntil }) => !renewedUntil || renewedUntil > now)) throw new Fenced()
    const emails = await emailsOf(
      sql,
      scope,
      locked.map(({ customerId }) => customerId),
    )
    const renewed = locked.map((subscription) => {
      const { next, lines, reason } = renew(subscription, { due: subscription.renewedUntil ?? now, now })
      const order = makeOrder(work, next, lines, {
        email: emails.get(next.customerId) ?? null,
        describe: () => ({ description: next.name, invoiceDescription: null }), // a plain renewal has the one line of its period
      })
      return { next, order, reason, payment: intendedCharge(work, next, order, { simulated: false }) }
    })
    const all = renewed.map(({ next }) => next)
    await store.saveSubscriptions(sql, all)
    await emitEach(
      renewed.map(({ next, reason }) => ({
        name: 'subscription.updated',
        reason,
        object: subscriptionResource(next),
      })),
    )
    await insertOrders(
      sql,
      scope,
      renewed.map(({ order }) => order),
    )
    await intend(
      work,
      renewed.flatMap(({ payment }) => payment ?? []),
    )
    await writePeriods(
      work,
      renewed.map(({ next, order }) => ({ subscription: next, orderId: order.id })),
    )
    await setTimers(work, all)
  })
  return ringing
}

/** Charges mandates, and books what was paid or is on its way. Answers the tasks that are done; declines are not among them. */
export async function chargeTogether(
  scope: Scope,
  tasks: readonly TogetherTask<{ paymentId: string }>[],
): Promise<Ringing[]> {
  const intended = await payments.findPayments(
    db(),
    scope,
    tasks.map(({ data }) => data.paymentId),
  )
  const news = await chargeAtProvider(scope, intended)
  const orders = await findOrders(
    db(),
    scope,
    intended.map(({ orderId }) => orderId),
  )
  const subscriptionOf = new Map(orders.map(({ id, subscriptionId }) => [id, subscriptionId ?? '']))
  const recovering = await inRecovery(db(), [...subscriptionOf.values()])
  const plain = intended.filter(({ id, orderId }) => {
    const told = news.get(id)?.status
    return (told === 'paid' || told === 'pending') && !recovering.has(subscriptionOf.get(orderId) ?? '')
  })
  if (plain.length === 0) return []
  const ids = new Set(plain.map(({ id }) => id))
  const ringing = tasks.flatMap((task) => (ids.has(task.data.paymentId) ? [task.ringing] : []))

  await transact({ ...scope, ringing }, async (work) => {
    const { sql, now, emitEach } = work
    const subscriptionIds = plain.map(({ orderId }) => subscriptionOf.get(orderId) ?? '')
    await store.lockSubscriptions(sql, scope, subscriptionIds)
    const current = await payments.findPayments(sql, scope, [...ids])
    const isUnchanged = current.length === ids.size && current.every(({ status }) => status === 'created')
    if (!isUnchanged || (await inRecovery(sql, subscriptionIds)).size > 0) throw new Fenced()
    const settled = current.map((payment) => {
      const told = news.get(payment.id)
      const outcome = told && hear(payment, told, now)
      if (!outcome) throw new Fenced()
      return outcome
    })
    await payments.savePayments(sql, settled)
    const paidBy = new Map(settled.filter(({ status }) => status === 'paid').map((each) => [each.orderId, each.method]))
    const unpaid = await findOrders(sql, scope, [...paidBy.keys()])
    const paid = await payOrders(
      work,
      unpaid.map((order) => ({ order, method: paidBy.get(order.id) ?? null })),
    )
    await resolveFastForwards(
      sql,
      paid.map(({ id }) => id),
    )
    await emitEach(paid.map((order) => ({ name: 'order.paid', object: orderResource(order) })))
  })
  return ringing
}
