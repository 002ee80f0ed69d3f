/** A payment in the provider's own books. Amounts are written as `10.00 EUR`. */
export interface BookedPayment {
  readonly ref: string
  /** Our payment that it was made for; null for what another system of the same account made. */
  readonly paymentId: string | null
  readonly amount: string
  readonly isPaid: boolean
}

/** A refund in the provider's own books. */
export interface BookedRefund {
  readonly ref: string
  /** The idempotency key with which we asked for it; null if somebody else did. */
  readonly refundId: string | null
  /** The payment, by the reference that we have of it; null for one that is not ours. */
  readonly paymentRef: string | null
  readonly amount: string
  readonly hasFailed: boolean
}

/** What can differ between the provider's books and ours. */
type DifferenceKind =
  | 'payment_unknown' // the provider took money that we know nothing of
  | 'payment_not_posted' // the provider took money, and for us the payment is not paid
  | 'payment_not_received' // for us it is paid, and the provider did not take the money
  | 'payment_amount'
  | 'refund_unknown' // the provider returned money that we know nothing of
  | 'refund_not_posted' // the provider returned money, and for us the refund was not sent
  | 'refund_not_sent' // for us the buyer has the money, and the provider did not return it
  | 'refund_amount'

/** One difference, with the ids by which a person finds both sides; null where one side has nothing. */
export interface Difference {
  readonly kind: DifferenceKind
  /** The provider's payment or refund. */
  readonly ref: string | null
  /** Our payment or refund. */
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

/** Compares a payment in the provider's books with ours of the same id; null if they agree, or if it is not ours. */
export function comparePayment(theirs: BookedPayment, ours: OurPayment | null): Difference | null {
  if (theirs.paymentId === null) return null
  const differs = (kind: DifferenceKind): Difference => ({
    ...{ kind, ref: theirs.ref, id: theirs.paymentId },
    ...{ theirs: described(theirs.amount, theirs.isPaid ? 'paid' : 'not paid'), ours: ours && describedPayment(ours) },
  })
  if (!ours) return theirs.isPaid ? differs('payment_unknown') : null
  if (theirs.amount !== ours.amount) return differs('payment_amount')
  if (theirs.isPaid && ours.status !== 'paid' && !ours.isReturned) return differs('payment_not_posted')
  if (!theirs.isPaid && ours.status === 'paid' && ours.isSettled) return differs('payment_not_received')
  return null
}

/** A payment that is paid for us, and that the provider does not have. */
export const missingPayment = (ours: OurPayment): Difference => ({
  ...{ kind: 'payment_not_received', ref: ours.ref, id: ours.id, theirs: null, ours: describedPayment(ours) },
})

/**
 * Compares a refund in the provider's books with ours of the same id. A refund that we did not ask for differs if it is of a
 * payment of ours: somebody made it at the provider.
 */
export function compareRefund(theirs: BookedRefund, ours: OurRefund | null, isOfOurs: boolean): Difference | null {
  const differs = (kind: DifferenceKind): Difference => ({
    ...{ kind, ref: theirs.ref, id: theirs.refundId },
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
  ...{ kind: 'refund_not_sent', ref: null, id, theirs: null, ours: described(amount, status) },
})

const described = (amount: string, state: string) => `${amount}, ${state}`
const describedPayment = ({ amount, status, isReturned }: OurPayment) =>
  described(amount, isReturned ? 'returned' : status === 'paid' ? 'paid' : 'not paid')
