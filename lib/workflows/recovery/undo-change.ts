import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { billedBy } from '../../modules/orders/rules/other-terms.ts'
import { findOrders, saveOrder, unpaidOrders } from '../../modules/orders/store.ts'
import * as charged from '../../modules/subscriptions/charged-changes.ts'
import { owedByOne } from '../../modules/subscriptions/owed.ts'
import { periodOrdersSince, returnToPeriod } from '../../modules/subscriptions/periods.ts'
import { subscriptionResource } from '../../modules/subscriptions/resource.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { saveSubscription } from '../../modules/subscriptions/store.ts'
import { setTimer } from '../../modules/subscriptions/timer.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { openAttempt, withdraw } from './attempts.ts'
import { announceLowerRetries } from './emails.ts'
import { endRecovery, writeOffOrder } from './write-off.ts'

/**
 * Undoes a change whose order is written off. Later unpaid changes are undone too, the last change first. If another order paid the current period, the
 * terms of this period stay until its end. The caller holds the lock of the subscription. Returns the subscription, and whether its terms change now, at
 * the renewal, or not at all (null).
 */
export async function undoChange(
  tx: Transaction,
  subscription: rules.Subscription,
  change: rules.ChargedChange,
): Promise<Pick<rules.Undone, 'next' | 'when'>> {
  const { undone, standing } = await writeOffLater(tx, subscription.id, change)
  let result: rules.Undone = { next: subscription, when: null, isCycleBack: false, standing }
  for (const each of undone.toReversed()) result = await undoOne(tx, result, each, undone)
  const { next, when } = result
  await saveSubscription(tx.sql, next)
  for (const each of result.standing) await charged.saveChargedChange(tx.sql, each)
  failpoint('recovery.change_undone')
  await notify(tx, subscription, next)
  await setTimer(tx, next)
  return { next, when }
}

async function undoOne(
  tx: Transaction,
  { next: subscription, standing }: rules.Undone,
  change: rules.ChargedChange,
  undone: readonly rules.ChargedChange[],
): Promise<rules.Undone> {
  const renewals = await ordersOfPeriods(tx, subscription.id, change.orderId, undone)
  const later = standing.filter(({ orderId }) => orderId > change.orderId)
  const isPaidAhead = await keepsTerms(tx, change, later, renewals)
  const result = rules.undoChanges(subscription, { undone: [change], standing: later, isPaidAhead, now: tx.now })
  if (!isPaidAhead) await returnPeriods(tx, subscription, result, { change, renewals })
  const earlier = standing.filter((each) => !later.includes(each))
  return { ...result, standing: [...earlier, ...result.standing] }
}

async function writeOffLater(tx: Transaction, subscriptionId: string, change: rules.ChargedChange) {
  const undone: rules.ChargedChange[] = [change]
  const standing: rules.ChargedChange[] = []
  const later = await charged.changesThatCount(tx.sql, subscriptionId, change.orderId)
  const unpaid = later.length > 0 ? await unpaidOrders(tx.sql, subscriptionId) : []
  for (const each of later) {
    const order = unpaid.find(({ id }) => id === each.orderId)
    if (!order || !(await withdraw(tx, await openAttempt(tx, order)))) {
      standing.push(each)
      continue
    }
    undone.push(each)
    await endRecovery(tx, order)
    await writeOffOrder(tx, order)
  }
  return { undone, standing }
}

async function ordersOfPeriods(
  { sql, ...tenant }: Transaction,
  subscriptionId: string,
  orderId: string,
  undone: readonly rules.ChargedChange[],
): Promise<Order[]> {
  const ids = (await periodOrdersSince(sql, subscriptionId, orderId)).filter((id) =>
    undone.every((change) => change.orderId !== id),
  )
  const orders = await findOrders(sql, tenant, ids)
  return ids.flatMap((id) => orders.filter((order) => order.id === id && order.status !== 'canceled'))
}

/**
 * Returns whether the current terms stay. The terms stay if the last renewal is paid, invoiced, or being charged. The terms also stay if `change` moved the
 * billing cycle and a later change stays in effect.
 */
async function keepsTerms(
  tx: Transaction,
  change: rules.ChargedChange,
  standing: readonly rules.ChargedChange[],
  renewals: readonly Order[],
): Promise<boolean> {
  if (rules.movesCycle(change) && standing.length > 0) return true
  const last = renewals.at(-1)
  return (
    last !== undefined && (last.status === 'paid' || last.invoice !== null || (await openAttempt(tx, last)) !== null)
  )
}

/**
 * If the former cycle is restored, writes off the unpaid renewals. Otherwise, changes the unpaid renewals without an invoice to the terms of
 * `next`. An unpaid renewal has an invoice if the bank returned its debit.
 */
async function returnPeriods(
  tx: Transaction,
  subscription: rules.Subscription,
  { next, isCycleBack }: rules.Undone,
  { change, renewals }: { change: rules.ChargedChange; renewals: readonly Order[] },
): Promise<void> {
  const unpaid = renewals.filter(({ status, invoice }) => status === 'pending' && (isCycleBack || invoice === null))
  for (const order of unpaid) {
    const other = isCycleBack ? null : billedBy(order, subscription, next)
    if (other) {
      await saveOrder(tx.sql, other, { lines: true })
      await announceLowerRetries(tx, next, new Set([order.id]))
    } else {
      await endRecovery(tx, order)
      await writeOffOrder(tx, order)
    }
  }
  if (!isCycleBack || !next.period) return
  const orderIds = [change.orderId, ...renewals.map(({ id }) => id)]
  await returnToPeriod(tx.sql, next.id, {
    since: change.after.cycle.period?.startAt ?? tx.now,
    orderIds,
    period: next.period,
  })
}

async function notify(tx: Transaction, before: rules.Subscription, next: rules.Subscription): Promise<void> {
  const owed = await owedByOne(tx.sql, next.id)
  const object = subscriptionResource(next, owed)
  const { scheduledUpdate: wasScheduled, ...was } = subscriptionResource(before, owed)
  const { scheduledUpdate, ...is } = object
  const [isReturned, isScheduled] = [
    !isSame(was, is),
    scheduledUpdate !== null && !isSame(wasScheduled, scheduledUpdate),
  ]
  if (isReturned || (scheduledUpdate === null && wasScheduled !== null))
    await tx.emit({ name: 'subscription.updated', reason: 'change_reverted', object })
  if (isScheduled && before.scheduledUpdate !== next.scheduledUpdate)
    await tx.emit({ name: 'subscription.update_scheduled', object })
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
