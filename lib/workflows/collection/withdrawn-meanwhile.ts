import { amount } from '../../kernel/money.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { notifyMembers } from '../../modules/operators/notify-members.ts'
import { fewerUnits } from '../../modules/orders/rules/fewer-units.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { saveOrder } from '../../modules/orders/store.ts'
import {
  linesWithdrawnFrom,
  mayBeWithdrawnFrom,
  type WithdrawnLine,
  withdrawnLine,
} from '../../modules/orders/withdrawals.ts'
import type { Payment } from '../../modules/payments/store.ts'
import { billedBy } from '../../modules/subscriptions/billed-by.ts'
import { orderOfPeriod } from '../../modules/subscriptions/periods.ts'
import { paidWithout, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { saveSubscription } from '../../modules/subscriptions/store.ts'

/**
 * This file handles charges whose outcome was unknown when the consumer withdrew from some or all units. A charge keeps
 * its amount until its outcome is known.
 */

interface Charge {
  readonly payment: Payment
  readonly order: Order
  readonly subscription: Subscription
}

/**
 * Asks the members by email to refund a charge that was paid after a withdrawal. The email asks for a full refund if
 * the withdrawal ended the subscription, and otherwise for a refund of the withdrawn units.
 */
export async function notifyOfLatePayments(
  tx: Transaction,
  paid: readonly { readonly charge: Charge; readonly order: Order; readonly own: Transaction }[],
): Promise<void> {
  const possible = paid.filter(({ charge }) => mayBeLate(charge))
  if (possible.length === 0) return
  const ids = possible.map(({ charge }) => charge.subscription.checkoutLineId)
  const withdrawn = await linesWithdrawnFrom(tx.sql, ids)
  for (const { charge, order, own } of possible)
    if (withdrawn.has(charge.subscription.checkoutLineId)) await notifyOfLatePayment(own, charge, order)
}

async function notifyOfLatePayment(tx: Transaction, charge: Charge, order: Order): Promise<void> {
  const { subscription } = charge
  const withdrawn = await withdrawnOf(tx, charge)
  if (!withdrawn) return
  const endedAt = subscription.endedAt?.getTime()
  const isEnd = withdrawn.declared.some(({ declaredAt }) => declaredAt.getTime() === endedAt)
  if (!isEnd && unitsMeanwhile(charge, withdrawn) === 0) return
  const { id, invoice, total, currency } = order
  const number = withdrawn.order.invoice?.number ?? withdrawn.order.id
  const arrived = { arrived: amount(total, currency), invoiceNumber: invoice?.number ?? id, isOfUnits: !isEnd }
  await notifyMembers(tx, { kind: 'withdrawal_declared', number, ...arrived }, `/orders/${id}`)
}

/**
 * Removes the withdrawn units from an unpaid order before the order is announced or charged again. Also reduces the
 * paid amount of the period.
 */
export async function withoutWithdrawnUnits(
  tx: Transaction,
  charge: Charge,
): Promise<Pick<Charge, 'order' | 'subscription'>> {
  const { order, subscription } = charge
  if (order.status !== 'pending' || subscription.status === 'canceled') return charge
  const withdrawn = await withdrawnOf(tx, charge)
  const units = withdrawn ? unitsMeanwhile(charge, withdrawn) : 0
  const fewer = units > 0 ? fewerUnits(order, units) : null
  if (!fewer) return charge
  await saveOrder(tx.sql, fewer.order, { lines: true })
  const { period } = subscription
  if (!period || (await orderOfPeriod(tx.sql, subscription.id)) !== order.id) return { ...charge, order: fewer.order }
  const paid = paidWithout(period, units, billedBy(subscription, fewer.before))
  const reduced = { ...subscription, period: { ...period, paid } }
  await saveSubscription(tx.sql, reduced)
  return { order: fewer.order, subscription: reduced }
}

const mayBeLate = ({ payment, subscription }: Charge): boolean =>
  mayBeWithdrawnFrom(subscription.startedAt, payment.createdAt)

const withdrawnOf = async (tx: Transaction, charge: Charge): Promise<WithdrawnLine | null> =>
  mayBeLate(charge) ? withdrawnLine(tx.sql, tx, charge.subscription.checkoutLineId) : null

/**
 * Returns the number of units that were withdrawn after the charge began. If the charge and the withdrawal have the
 * same time, the charge counts as earlier only if its order has more units than the subscription.
 */
function unitsMeanwhile({ payment, order, subscription }: Charge, { declared }: WithdrawnLine): number {
  const begun = payment.createdAt.getTime()
  const isWithThem = (order.lines[0]?.quantity ?? 0) > subscription.quantity
  return declared
    .filter(({ declaredAt }) => declaredAt.getTime() > begun || (declaredAt.getTime() === begun && isWithThem))
    .reduce((sum, { quantity }) => sum + quantity, 0)
}
