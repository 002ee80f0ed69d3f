import { kindOf, refundableSubtotal, type ShownOrder } from './order.ts'

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

export function orderState(order: ShownOrder, isDisputed: boolean): OrderState {
  const kind = kindOf(order)
  if (kind !== 'sale') return kind
  if (order.status === 'pending' && order.paymentFailure) return 'past_due'
  if (order.status !== 'paid') return order.status
  if (isDisputed) return 'disputed'
  if (order.reversedSubtotal === 0n) return 'paid'
  return refundableSubtotal(order) === 0n ? 'refunded' : 'partially_refunded'
}
