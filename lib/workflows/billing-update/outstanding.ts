import type { Amount } from '../../kernel/money.ts'
import { amount, sum } from '../../kernel/money.ts'
import type { BillingUpdatePage } from '../../modules/billing-updates/page.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import { isSimulated, lastPayment } from '../../modules/payments/store.ts'
import { openRecoveries } from '../../modules/recovery/store.ts'
import { nextCharge } from '../../modules/subscriptions/next-charge.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'

/** The orders that are owed and not being charged at this moment. */
export async function outstandingOrders(
  { id }: Subscription,
  tenant: Tenant,
): Promise<(BillingUpdatePage & { state: 'open' })['due']> {
  const recoveries = await openRecoveries(db(), id)
  const waiting = await Promise.all(
    recoveries.map(async ({ orderId }) => {
      const last = await lastPayment(db(), orderId)
      const isOnItsWay = last !== null && !isSimulated(last) && !paymentStates.isFinal(last.status)
      return isOnItsWay ? null : findOrder(db(), tenant, orderId)
    }),
  )
  const total = totalOf(waiting.filter((order) => order !== null))
  const [first] = recoveries
  return total && first ? { total, reason: first.failureReason } : null
}

/** The total of orders of one subscription. Null if there are none. */
export function totalOf(orders: readonly Order[]): Amount | null {
  const [first] = orders
  return first ? amount(sum(orders.map(({ total }) => total)), first.currency) : null
}

/** Where no method is stored, one is needed as soon as something is owed or will be charged at the next renewal. */
export function needsMethod(subscription: Subscription, { isOwed, now }: { isOwed: boolean; now: Date }): boolean {
  return subscription.mandate !== null || isOwed || (nextCharge(subscription, now)?.total ?? 0n) > 0n
}
