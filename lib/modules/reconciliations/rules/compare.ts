/** Amounts are texts such as `10.00 EUR`. */
export interface BookedPayment {
  readonly ref: string
  /** `paymentId` is null if another system created the payment with the same provider account. */
  readonly paymentId: string | null
  readonly storefrontId: string | null
  readonly amount: string
  readonly isPaid: boolean
  /** Whether the whole amount was refunded. */
  readonly isRefunded?: boolean
  /**
   * The state, mandate, order, and creation time of the payment. Absent for a payment that was read from a settlement.
   */
  readonly made?: PaymentMade
  /** The provider's name of a status that this version does not know. */
  readonly unknownStatus?: string
}

interface PaymentMade {
  /**
   * Whether the outcome of the payment is still unknown, for example before the bank has decided about a direct debit.
   */
  readonly isPending: boolean
  /** Whether money was refunded or disputed, in part or in whole. */
  readonly moneyReturned: boolean
  /**
   * The provider's reference of the payment's mandate, which our record of the mandate stores too. Null for a payment
   * without a mandate.
   */
  readonly mandateRef: string | null
  readonly orderId: string | null
  readonly createdAt: Date
}

export interface BookedRefund {
  readonly ref: string
  /** `refundId` is our idempotency key; null if a person created the refund at the provider. */
  readonly refundId: string | null
  readonly storefrontId: string | null
  readonly paymentRef: string | null
  readonly amount: string
  readonly hasFailed: boolean
}

export interface BookedChargeback {
  readonly ref: string
  readonly paymentRef: string | null
  readonly amount: string
  readonly isReversed: boolean
}

type DifferenceKind =
  | 'payment_unknown' // The provider took money that our books do not have.
  | 'storefront_unknown' // The provider moved money for a storefront that does not exist here.
  | 'payment_not_posted' // The provider took money, and our payment is not paid.
  | 'payment_not_received' // Our payment is paid, and the provider did not take the money.
  | 'payment_status_unknown' // The provider reports a status that this version does not know.
  | 'payment_amount'
  | 'refund_unknown' // The provider returned money that our books do not have.
  | 'refund_not_posted' // The provider returned money, and our refund was not sent.
  | 'refund_not_sent' // Our refund is complete, and the provider did not return the money.
  | 'refund_amount'
  | 'chargeback_unknown' // The buyer's bank took money back, and our books have no chargeback.
  | 'chargeback_outcome' // The money was returned at the provider and not in our books, or the reverse.
  | 'chargeback_not_received' // Our payment is disputed, and the provider has no dispute.
  | 'chargeback_amount'
  | 'settlement_failed' // The provider could not pay us.
  | 'settlement_sum' // The payout differs from the revenue less the costs of the settlement.
  | 'payment_not_settled' // The provider took money weeks ago, and no settlement contains it.

/** `atProvider` is null if the provider lacks the compared record. `ours` is null if our books lack the record. */
export interface Difference {
  readonly kind: DifferenceKind
  readonly ref: string | null
  readonly id: string | null
  readonly atProvider: string | null
  readonly ours: string | null
}

export interface OurPayment {
  readonly id: string
  readonly ref: string | null
  readonly amount: string
  readonly status: 'paid' | 'unpaid'
  /** True if the payment arrived too late and was refunded, or if the bank returned the debit. */
  readonly isReturned: boolean
  /** False if the outcome in our books is so recent that the provider's list may not contain it yet. */
  readonly isSettled: boolean
}

export interface OurRefund {
  readonly id: string
  readonly amount: string
  readonly status: 'sent' | 'refunded' | 'unsent'
  readonly isSettled: boolean
}

export interface OurChargeback {
  readonly id: string
  readonly ref: string
  readonly amount: string
  /** `won`: the money is back in our ledger. `free`: nothing was posted for the dispute. */
  readonly status: 'open' | 'won' | 'lost' | 'free'
}

/** Returns null if the provider and our books agree, or if the payment is not ours. */
export function comparePayment(booked: BookedPayment, ours: OurPayment | null): Difference | null {
  if (booked.paymentId === null) return null
  const differs = (kind: DifferenceKind): Difference => ({
    kind,
    ref: booked.ref,
    id: booked.paymentId,
    atProvider: described(booked.amount, booked.unknownStatus ?? (booked.isPaid ? 'paid' : 'not paid')),
    ours: ours && describedPayment(ours),
  })
  if (!ours) return booked.isPaid ? differs('payment_unknown') : null
  if (booked.amount !== ours.amount) return differs('payment_amount')
  if (booked.unknownStatus) return differs('payment_status_unknown')
  if (booked.isPaid && ours.status !== 'paid' && !ours.isReturned) return differs('payment_not_posted')
  if (!booked.isPaid && ours.status === 'paid' && ours.isSettled) return differs('payment_not_received')
  return null
}

export const missingPayment = (ours: OurPayment): Difference => ({
  kind: 'payment_not_received',
  ref: ours.ref,
  id: ours.id,
  atProvider: null,
  ours: describedPayment(ours),
})

/**
 * Compares a refund at the provider with our refund. Returns null if the two refunds agree. A refund that our books
 * lack is a difference, because somebody must have created it at the provider. Such a refund is ignored if the refunded
 * payment is not ours (`isOfOurs` is false).
 */
export function compareRefund(booked: BookedRefund, ours: OurRefund | null, isOfOurs: boolean): Difference | null {
  const differs = (kind: DifferenceKind): Difference => ({
    kind,
    ref: booked.ref,
    id: booked.refundId,
    atProvider: described(booked.amount, booked.hasFailed ? 'failed' : 'sent'),
    ours: ours && described(ours.amount, ours.status),
  })
  if (!ours) return isOfOurs && !booked.hasFailed ? differs('refund_unknown') : null
  if (booked.amount !== ours.amount) return differs('refund_amount')
  if (!booked.hasFailed && ours.status === 'unsent') return differs('refund_not_posted')
  if (booked.hasFailed && ours.status === 'refunded' && ours.isSettled) return differs('refund_not_sent')
  return null
}

export const missingRefund = ({ id, amount, status }: OurRefund): Difference => ({
  kind: 'refund_not_sent',
  ref: null,
  id,
  atProvider: null,
  ours: described(amount, status),
})

/** Returns null if the provider and our books agree, or if the chargeback is not ours. */
export function compareChargeback(
  booked: BookedChargeback,
  ours: OurChargeback | null,
  isOfOurs: boolean,
): Difference | null {
  const differs = (kind: DifferenceKind): Difference => ({
    kind,
    ref: booked.ref,
    id: ours?.id ?? null,
    atProvider: described(booked.amount, booked.isReversed ? 'came back' : 'taken'),
    ours: ours && described(ours.amount, ours.status),
  })
  if (!ours) return isOfOurs && !booked.isReversed ? differs('chargeback_unknown') : null
  if (booked.amount !== ours.amount) return differs('chargeback_amount')
  const isOutOfStep = booked.isReversed ? ours.status === 'open' || ours.status === 'lost' : ours.status === 'won'
  return isOutOfStep ? differs('chargeback_outcome') : null
}

export const missingChargeback = ({ id, ref, amount, status }: OurChargeback): Difference => ({
  kind: 'chargeback_not_received',
  ref,
  id,
  atProvider: null,
  ours: described(amount, status),
})

export const unsettledPayment = (ours: OurPayment): Difference => ({
  kind: 'payment_not_settled',
  ref: ours.ref,
  id: ours.id,
  atProvider: null,
  ours: describedPayment(ours),
})

export interface Moved {
  readonly payments: number
  readonly refunds: number
}

export const unknownStorefront = (id: string, { payments, refunds }: Moved): Difference => ({
  kind: 'storefront_unknown',
  ref: null,
  id,
  atProvider: `payments: ${payments}, refunds: ${refunds}`,
  ours: null,
})

const described = (amount: string, state: string) => `${amount}, ${state}`
const describedPayment = ({ amount, status, isReturned }: OurPayment) =>
  described(amount, isReturned ? 'returned' : status === 'paid' ? 'paid' : 'not paid')
