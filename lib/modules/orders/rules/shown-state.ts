import { kindOf, refundableSubtotal, type ShownOrder } from './order.ts'

/** The admin area's names. The `status` of the API keeps its own values. */
export type OrderState =
  | 'created'
  | 'pending'
  | 'past_due'
  | 'paid'
  | 'partially_refunded'
  | 'refunded'
  | 'disputed'
  | 'canceled'
  | 'expired'
  | 'credit_note'
  | 'replacement'

/** `isDisputed`: a dispute of the payment has no outcome yet. */
export function orderState(order: ShownOrder, isDisputed: boolean): OrderState {
  const kind = kindOf(order)
  if (kind !== 'sale') return kind
  if (order.status === 'pending' && order.paymentFailure) return 'past_due'
  if (order.status !== 'paid') return order.status
  if (isDisputed) return 'disputed'
  if (order.reversedSubtotal === 0n) return 'paid'
  return refundableSubtotal(order) === 0n ? 'refunded' : 'partially_refunded'
}
