import type { Transaction } from '../../modules/events/transact.ts'
import { findOrders } from '../../modules/orders/store.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import { isSimulated, lastPayment } from '../../modules/payments/store.ts'
import * as charged from '../../modules/subscriptions/charged-changes.ts'
import { returnToPeriod } from '../../modules/subscriptions/periods.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { saveSubscription } from '../../modules/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { openAttempt, withdraw } from './attempts.ts'
import { endRecovery, writeOffOrder } from './write-off.ts'

export interface TakenBack {
  readonly removed: readonly rules.ChargedChange[]
  /** `undone` has the reversed changes of the current period. `without` is the subscription without these changes. */
  readonly undone: readonly rules.ChargedChange[]
  readonly without: rules.Undone
}

/**
 * Finds the unpaid changes that `terms` reverse completely. Excludes a change with an open charge, because the outcome of the charge decides whether the
 * change stays.
 */
export async function takenBackBy(
  sql: Sql,
  subscription: rules.Subscription,
  terms: rules.Terms,
  now: Date,
): Promise<TakenBack | null> {
  const changes = await charged.changesThatCount(sql, subscription.id)
  const removed: rules.ChargedChange[] = []
  for (const change of changes)
    if (!change.isPaid && rules.isRemovedBy(change, terms) && !(await isOnItsWay(sql, change))) removed.push(change)
  if (removed.length === 0) return null
  const standing = changes.filter((change) => !removed.includes(change))
  const isUndone = (change: rules.ChargedChange): boolean =>
    isOfPeriod(change, subscription) &&
    !(rules.movesCycle(change) && standing.some((each) => each.orderId > change.orderId))
  const undone = removed.filter(isUndone)
  let without: rules.Undone = { next: subscription, when: null, isCycleBack: false, standing: [] }
  for (const change of undone.toReversed()) {
    const later = standing.flatMap((each) =>
      each.orderId > change.orderId ? (without.standing.find(({ orderId }) => orderId === each.orderId) ?? each) : [],
    )
    const one = rules.undoChanges(without.next, { undone: [change], standing: later, isPaidAhead: false, now })
    without = { ...one, isCycleBack: one.isCycleBack || without.isCycleBack }
  }
  return { removed, undone, without }
}

const isOfPeriod = ({ after }: rules.ChargedChange, { period }: rules.Subscription): boolean =>
  after.cycle.period?.startAt.getTime() === period?.startAt.getTime()

async function isOnItsWay(sql: Sql, { orderId }: rules.ChargedChange): Promise<boolean> {
  const last = await lastPayment(sql, orderId)
  return last !== null && !isSimulated(last) && !paymentStates.isFinal(last.status)
}

export async function cancelTakenBack(tx: Transaction, { removed, undone, without }: TakenBack): Promise<void> {
  const { sql, ...tenant } = tx
  const orderIds = removed.map(({ orderId }) => orderId)
  for (const order of await findOrders(sql, tenant, orderIds)) {
    if (!(await withdraw(tx, await openAttempt(tx, order)))) throw new Error(`order ${order.id} has a pending charge`)
    await endRecovery(tx, order)
    await writeOffOrder(tx, order)
  }
  for (const each of without.standing) await charged.saveChargedChange(sql, each)
  const { next, isCycleBack } = without
  if (!isCycleBack || !next.period) return
  const since = undone.find(rules.movesCycle)?.after.cycle.period?.startAt ?? tx.now
  await returnToPeriod(sql, next.id, { since, orderIds, period: next.period })
}

export async function keepRemaining(tx: Transaction, subscription: rules.Subscription): Promise<void> {
  for (const change of await charged.changesThatCount(tx.sql, subscription.id)) {
    if (change.isPaid) continue
    const left = rules.remaining(change, subscription)
    if (left.isTakenBack !== change.isTakenBack || !rules.sameTerms(left.after.terms, change.after.terms))
      await charged.saveChargedChange(tx.sql, left)
  }
}

/**
 * Cancels the unpaid changes that the current terms reverse. Returns the subscription, whose period no longer includes the amounts of these changes.
 */
export async function cancelRemoved(tx: Transaction, subscription: rules.Subscription): Promise<rules.Subscription> {
  const taken = await takenBackBy(tx.sql, subscription, subscription, tx.now)
  if (!taken) return subscription
  const { undone, without } = taken
  await cancelTakenBack(tx, { ...taken, without: { ...without, isCycleBack: false } })
  if (undone.length === 0 || without.isCycleBack || !without.next.period) return subscription
  const next = { ...subscription, period: without.next.period }
  await saveSubscription(tx.sql, next)
  return next
}
