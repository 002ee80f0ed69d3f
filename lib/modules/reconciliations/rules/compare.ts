/** A payment in the provider's own books. Amounts are written as `10.00 EUR`. */
export interface BookedPayment {
  readonly ref: string
  /** Our payment that it was made for; null for what another system of the same account made. */
  readonly paymentId: string | null
  /** The storefront that it was made for; null for what another system of the same account made. */
  readonly storefrontId: string | null
  readonly amount: string
  readonly isPaid: boolean
  /** The provider's word for a status that we do not know. Absent for any status that we know. */
  readonly unknownStatus?: string
}

/** A refund in the provider's own books. */
export interface BookedRefund {
  readonly ref: string
  /** The idempotency key with which we asked for it; null if somebody else did. */
  readonly refundId: string | null
  /** The storefront that it was made for; null if somebody else made it. */
  readonly storefrontId: string | null
  /** The payment, by the reference that we have of it; null for one that is not ours. */
  readonly paymentRef: string | null
  readonly amount: string
  readonly hasFailed: boolean
}

/** A chargeback in the provider's own books. */
export interface BookedChargeback {
  readonly ref: string
  /** The payment, by the reference that we have of it; null for one that is not ours. */
  readonly paymentRef: string | null
  readonly amount: string
  /** The money has come back. */
  readonly isReversed: boolean
}

/** What can differ between the provider's books and ours. */
type DifferenceKind =
  | 'payment_unknown' // the provider took money that we know nothing of
  | 'storefront_unknown' // the provider moved money for a storefront that we know nothing of
  | 'payment_not_posted' // the provider took money, and for us the payment is not paid
  | 'payment_not_received' // for us it is paid, and the provider did not take the money
  | 'payment_status_unknown' // the provider reports a status that we do not know
  | 'payment_amount'
  | 'refund_unknown' // the provider returned money that we know nothing of
  | 'refund_not_posted' // the provider returned money, and for us the refund was not sent
  | 'refund_not_sent' // for us the buyer has the money, and the provider did not return it
  | 'refund_amount'
  | 'chargeback_unknown' // the buyer's bank took money that we know nothing of
  | 'chargeback_outcome' // the money came back, and for us it is gone; or the other way round
  | 'chargeback_not_received' // for us a payment is disputed, and the provider knows nothing of it
  | 'chargeback_amount'
  | 'settlement_failed' // the provider could not pay us
  | 'settlement_sum' // its revenue less its costs is not what the provider paid
  | 'payment_not_settled' // the provider took money weeks ago, and it is in no settlement

/** One difference, with the ids by which a person finds both sides; null where one side has nothing. */
export interface Difference {
  readonly kind: DifferenceKind
  /** The provider's payment, refund, chargeback or settlement. */
  readonly ref: string | null
  /** Our payment, refund or chargeback; or the storefront, where nothing else is known of it. */
  readonly id: string | null
  readonly theirs: string | null
  readonly ours: string | null
}

/** A payment of ours. Amounts are written as `10.00 EUR`. */
export interface OurPayment {
  readonly id: string
  readonly ref: string | null
  readonly amount: string
  readonly status: 'paid' | 'unpaid'
  /** The money came too late, and was sent back. */
  readonly isReturned: boolean
  /** Whether its outcome is as old as what the provider was asked for. */
  readonly isSettled: boolean
}

/** A refund of ours. */
export interface OurRefund {
  readonly id: string
  readonly amount: string
  readonly status: 'sent' | 'refunded' | 'unsent'
  readonly isSettled: boolean
}

/** A chargeback of ours. */
export interface OurChargeback {
  readonly id: string
  readonly ref: string
  readonly amount: string
  /** `won`: for us the money is back; `free`: nothing was taken for it. */
  readonly status: 'open' | 'won' | 'lost' | 'free'
}

/** Compares a payment in the provider's books with ours of the same id; null if they agree, or if it is not ours. */
export function comparePayment(theirs: BookedPayment, ours: OurPayment | null): Difference | null {
  if (theirs.paymentId === null) return null
  const differs = (kind: DifferenceKind): Difference => ({
    kind,
    ref: theirs.ref,
    id: theirs.paymentId,
    theirs: described(theirs.amount, theirs.unknownStatus ?? (theirs.isPaid ? 'paid' : 'not paid')),
    ours: ours && describedPayment(ours),
  })
  if (!ours) return theirs.isPaid ? differs('payment_unknown') : null
  if (theirs.amount !== ours.amount) return differs('payment_amount')
  if (theirs.unknownStatus) return differs('payment_status_unknown')
  if (theirs.isPaid && ours.status !== 'paid' && !ours.isReturned) return differs('payment_not_posted')
  if (!theirs.isPaid && ours.status === 'paid' && ours.isSettled) return differs('payment_not_received')
  return null
}

/** A payment that is paid for us, and that the provider does not have. */
export const missingPayment = (ours: OurPayment): Difference => ({
  kind: 'payment_not_received',
  ref: ours.ref,
  id: ours.id,
  theirs: null,
  ours: describedPayment(ours),
})

/**
 * Compares a refund in the provider's books with ours of the same id. A refund that we did not ask for differs if it is of a
 * payment of ours: somebody made it at the provider.
 */
export function compareRefund(theirs: BookedRefund, ours: OurRefund | null, isOfOurs: boolean): Difference | null {
  const differs = (kind: DifferenceKind): Difference => ({
    kind,
    ref: theirs.ref,
    id: theirs.refundId,
    theirs: described(theirs.amount, theirs.hasFailed ? 'failed' : 'sent'),
    ours: ours && described(ours.amount, ours.status),
  })
  if (!ours) return isOfOurs && !theirs.hasFailed ? differs('refund_unknown') : null
  if (theirs.amount !== ours.amount) return differs('refund_amount')
  if (!theirs.hasFailed && ours.status === 'unsent') return differs('refund_not_posted')
  if (theirs.hasFailed && ours.status === 'refunded' && ours.isSettled) return differs('refund_not_sent')
  return null
}

/** A refund that the buyer has for us, and that the provider does not have. */
export const missingRefund = ({ id, amount, status }: OurRefund): Difference => ({
  kind: 'refund_not_sent',
  ref: null,
  id,
  theirs: null,
  ours: described(amount, status),
})

/** Compares a chargeback in the provider's books with ours of the same reference; null if they agree, or if it is not ours. */
export function compareChargeback(
  theirs: BookedChargeback,
  ours: OurChargeback | null,
  isOfOurs: boolean,
): Difference | null {
  const differs = (kind: DifferenceKind): Difference => ({
    kind,
    ref: theirs.ref,
    id: ours?.id ?? null,
    theirs: described(theirs.amount, theirs.isReversed ? 'came back' : 'taken'),
    ours: ours && described(ours.amount, ours.status),
  })
  if (!ours) return isOfOurs && !theirs.isReversed ? differs('chargeback_unknown') : null
  if (theirs.amount !== ours.amount) return differs('chargeback_amount')
  const isOutOfStep = theirs.isReversed ? ours.status === 'open' || ours.status === 'lost' : ours.status === 'won'
  return isOutOfStep ? differs('chargeback_outcome') : null
}

/** A chargeback of ours that the provider does not have. */
export const missingChargeback = ({ id, ref, amount, status }: OurChargeback): Difference => ({
  kind: 'chargeback_not_received',
  ref,
  id,
  theirs: null,
  ours: described(amount, status),
})

/** A payment that is paid on both sides, and that no settlement has. */
export const unsettledPayment = (ours: OurPayment): Difference => ({
  kind: 'payment_not_settled',
  ref: ours.ref,
  id: ours.id,
  theirs: null,
  ours: describedPayment(ours),
})

/** What a provider took and returned for one storefront, in numbers. */
export interface Moved {
  readonly payments: number
  readonly refunds: number
}

/** A storefront for which the provider moved money, and that is not here: one line for all of it. */
export const unknownStorefront = (id: string, { payments, refunds }: Moved): Difference => ({
  kind: 'storefront_unknown',
  ref: null,
  id,
  theirs: `payments: ${payments}, refunds: ${refunds}`,
  ours: null,
})

const described = (amount: string, state: string) => `${amount}, ${state}`
const describedPayment = ({ amount, status, isReturned }: OurPayment) =>
  described(amount, isReturned ? 'returned' : status === 'paid' ? 'paid' : 'not paid')
