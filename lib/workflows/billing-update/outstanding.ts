import { toWire } from '../../kernel/moment.ts'
import type { Amount } from '../../kernel/money.ts'
import { amount, sum } from '../../kernel/money.ts'
import { ordersOwedBy } from '../../modules/orders/owed-sale.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { isOnItsWay } from '../../modules/payments/on-its-way.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import { lastPayment } from '../../modules/payments/store.ts'
import { chargedAgainAt } from '../../modules/recovery/rules/index.ts'
import { recoveriesOwedBy } from '../../modules/recovery/store.ts'
import { nextCharge } from '../../modules/subscriptions/next-charge.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { db } from '../../platform/db/db.ts'

export interface Outstanding {
  readonly total: Amount
  readonly reason: FailureReason
  /** The time of the next automatic charge. Null if only the buyer can start a charge. */
  readonly chargedAgainAt: string | null
}

/** Reads the recoveries after the orders, so that an order that is paid between the two reads counts as paid. */
export async function outstandingOrders({ id }: Subscription): Promise<Outstanding | null> {
  const unpaid = await ordersOwedBy(db(), id)
  const attempts = await Promise.all(unpaid.map((order) => lastPayment(db(), order.id)))
  const recoveries = await recoveriesOwedBy(db(), id)
  const isOwed = (order: Order, index: number): boolean =>
    !isOnItsWay(attempts[index] ?? null) && recoveries.some(({ orderId }) => orderId === order.id)
  const total = totalOf(unpaid.filter(isOwed))
  const [first] = recoveries
  if (!total || !first) return null
  const [again] = recoveries
    .flatMap((recovery) => chargedAgainAt(recovery) ?? [])
    .sort((a, b) => a.getTime() - b.getTime())
  return { total, reason: first.failureReason, chargedAgainAt: again ? toWire(again) : null }
}

export function totalOf(orders: readonly Order[]): Amount | null {
  const [first] = orders
  return first ? amount(sum(orders.map(({ total }) => total)), first.currency) : null
}

export function needsMethod(subscription: Subscription, { isOwed, now }: { isOwed: boolean; now: Date }): boolean {
  return subscription.mandate !== null || isOwed || (nextCharge(subscription, now)?.total ?? 0n) > 0n
}
