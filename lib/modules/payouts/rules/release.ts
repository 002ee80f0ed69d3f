import { divideHalfAwayFromZero, type Fraction, smaller, sum } from '../../../kernel/money.ts'
import type { ChargebackStatus } from '../../chargebacks/rules/state.ts'

/** An undecided dispute. Amounts are in minor units. */
export interface OpenDispute {
  readonly status: ChargebackStatus
  /** The amount that the buyer's bank disputes. */
  readonly amount: bigint
  /** The amount already taken from the balance, with tax. */
  readonly total: bigint
  readonly providerFee: bigint
  /** The total of the order with tax, which is the maximum that a dispute takes. */
  readonly orderTotal: bigint
}

/** The withheld parts of a balance, in minor units of one currency. */
export interface Withheld {
  /** The amount that sales within the hold still add to the balance. */
  readonly held: bigint
  /** The reserve for disputes. */
  readonly reserve: bigint
  /** The amount that open disputes may still take. */
  readonly disputed: bigint
}

interface Claims {
  readonly held: bigint
  /** The amount that sales after the hold, within the days of the reserve, still add to the balance. */
  readonly sold: bigint
  readonly reserveShare: Fraction
  readonly disputes: readonly OpenDispute[]
}

/**
 * The withheld parts of a balance: the hold, the reserve, and the rest of open disputes. The reserve is a share of sales after the hold,
 * rounded half away from zero, because buyers can dispute for months.
 */
export const withheldOf = ({ held, sold, reserveShare, disputes }: Claims): Withheld => ({
  held,
  reserve: divideHalfAwayFromZero(sold * reserveShare.numerator, reserveShare.denominator),
  disputed: sum(disputes.map(stillDisputed)),
})

/**
 * The amount that an open dispute may still take from the balance, at most the order's total. A dispute under review has taken nothing
 * yet, not even the provider's fee. Any other dispute has taken its part, and takes more if a blocking refund fails.
 */
export function stillDisputed({ status, amount, total, providerFee, orderTotal }: OpenDispute): bigint {
  const most = smaller(amount, orderTotal)
  if (status === 'requires_amount_review') return most + providerFee
  return status === 'pending' || status === 'evidence_submitted' ? most - total : 0n
}

/** The released part of a balance, in minor units, never negative. */
export function releasedOf(balance: bigint, { held, reserve, disputed }: Withheld): bigint {
  const released = balance - held - reserve - disputed
  return released > 0n ? released : 0n
}
