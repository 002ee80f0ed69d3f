import { divideHalfAwayFromZero, type Fraction, smaller, sum } from '../../../kernel/money.ts'
import type { ChargebackStatus } from '../../chargebacks/rules/state.ts'

/** A dispute that is not decided, in minor units. */
export interface OpenDispute {
  readonly status: ChargebackStatus
  /** What the provider disputes. */
  readonly amount: bigint
  /** What of it was taken from the balance already, with tax. */
  readonly total: bigint
  readonly providerFee: bigint
  /** Of the order, with tax: more is never taken. */
  readonly orderTotal: bigint
}

/** What a balance must cover before it is paid out, in minor units and one currency. */
export interface Withheld {
  /** What the sales of the hold's days still add to the balance. */
  readonly held: bigint
  /** The reserve for disputes. */
  readonly reserve: bigint
  /** What open disputes may still take. */
  readonly disputed: bigint
}

interface Claims {
  readonly held: bigint
  /** What the sales of the reserve's days whose hold is over still add to the balance. */
  readonly sold: bigint
  readonly reserveShare: Fraction
  readonly disputes: readonly OpenDispute[]
}

/**
 * What is withheld of a balance: the hold; a share of the sales after their hold, half away from zero, since buyers dispute for months;
 * and what open disputes may still take.
 */
export const withheldOf = ({ held, sold, reserveShare, disputes }: Claims): Withheld => ({
  held,
  reserve: divideHalfAwayFromZero(sold * reserveShare.numerator, reserveShare.denominator),
  disputed: sum(disputes.map(stillDisputed)),
})

/**
 * What an open dispute may still take from the balance, at most what was sold. One under review has taken nothing yet, not even the
 * provider's fee; another one has taken its part, and takes more where a refund that was in its way fails.
 */
export function stillDisputed({ status, amount, total, providerFee, orderTotal }: OpenDispute): bigint {
  const most = smaller(amount, orderTotal)
  if (status === 'requires_amount_review') return most + providerFee
  return status === 'pending' || status === 'evidence_submitted' ? most - total : 0n
}

/** What can be paid out of a balance, in minor units: never less than nothing. */
export function releasedOf(balance: bigint, { held, reserve, disputed }: Withheld): bigint {
  const released = balance - held - reserve - disputed
  return released > 0n ? released : 0n
}
