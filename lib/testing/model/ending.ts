import { postWrittenOff } from './ledger.ts'
import { writeOffSale } from './owed-sale.ts'
import { newCreditNote } from './refunds.ts'
import { fullOf, type Order, recordEvent, recordOrderEvent, type Subscription, type World } from './world.ts'

export function endForNonpayment(world: World, subscription: Subscription): void {
  endNow(world, subscription, 'payment_failure')
  writeOffOutstanding(world, subscription)
  recordEvent(subscription, 'subscription.canceled_for_nonpayment')
}

export function endNow(
  world: World,
  subscription: Subscription,
  cancellationReason: NonNullable<Subscription['cancellationReason']>,
): void {
  const canceledAt = subscription.canceledAt ?? world.now
  dropScheduledAndParked(subscription)
  const ended = { status: 'canceled', trialUntil: null, endedAt: world.now }
  Object.assign(subscription, { ...ended, cancellationReason, canceledAt })
}

export function dropScheduledAndParked(subscription: Subscription): void {
  const { period, parked } = subscription
  if (period) {
    const paid = period.paid - fullOf(parked, period)
    period.paid = paid > 0n ? paid : 0n
  }
  Object.assign(subscription, { scheduled: null, parked: [] })
}

export function writeOff(world: World, order: Order): void {
  order.status = 'canceled'
  recordOrderEvent(order, 'order.canceled')
  if (!order.hasInvoice) return
  order.creditNote = newCreditNote(world)
  postWrittenOff(world, order)
}

/**
 * Writes off the unpaid orders of an ended subscription. An order with a pending charge is written off only if the
 * charge fails. A charge by a test helper counts as pending only if the grace period ended (`lapsed`).
 */
export function writeOffOutstanding(world: World, subscription: Subscription, { lapsed = false } = {}): void {
  for (const order of subscription.orders.filter(({ status, isSale }) => status === 'pending' && !isSale)) {
    if (order.recovery) order.recovery.open = false
    if (order.attempt && (lapsed || order.attempt.by !== 'helper')) continue
    order.attempt = null
    writeOff(world, order)
  }
  writeOffSale(world, subscription)
}
