import { divideHalfAwayFromZero, type Fraction, smaller, sum } from '../../../kernel/money.ts'
import type { ChargebackStatus } from '../../chargebacks/rules/state.ts'

/** Amounts are in minor units. */
export interface OpenDispute {
  readonly status: ChargebackStatus
  readonly amount: bigint
  /** The amount, with tax, that the dispute already took from the balance. */
  readonly total: bigint
  readonly providerFee: bigint
  /** The order's total with tax, which is the most that a dispute can take. */
  readonly orderTotal: bigint
}

export interface Withheld {
  /** The amount that sales within the hold period add to the balance, less their refunds and costs. */
  readonly held: bigint
  readonly reserve: bigint
  /** The amount that open disputes can still take. */
  readonly disputed: bigint
}

interface Claims {
  readonly held: bigint
  /** The amount that older sales within the reserve period add to the balance, less their refunds and costs. */
  readonly sold: bigint
  readonly reserveShare: Fraction
  readonly disputes: readonly OpenDispute[]
}

/** Buyers can open a dispute months after a payment, so a share of `sold` stays in reserve after the hold period. The share is rounded half away from zero. */
export const withheldOf = ({ held, sold, reserveShare, disputes }: Claims): Withheld => ({
  held,
  reserve: divideHalfAwayFromZero(sold * reserveShare.numerator, reserveShare.denominator),
  disputed: sum(disputes.map(stillDisputed)),
})

/**
 * Returns the amount that a dispute can still take from the balance. During an amount review, the dispute has taken nothing, so the result is the disputed
 * amount (at most the order's total) plus the provider's fee. Any other open dispute has taken `total`, and takes the rest of the disputed
 * amount only if a refund of the order fails.
 */
export function stillDisputed({ status, amount, total, providerFee, orderTotal }: OpenDispute): bigint {
  const most = smaller(amount, orderTotal)
  if (status === 'requires_amount_review') return most + providerFee
  return status === 'pending' || status === 'evidence_submitted' ? most - total : 0n
}

export function releasedOf(balance: bigint, { held, reserve, disputed }: Withheld): bigint {
  const released = balance - held - reserve - disputed
  return released > 0n ? released : 0n
}
