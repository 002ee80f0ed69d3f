import type { Money } from '../../../kernel/money.ts'
import { hasAmount, type UnknownPayment } from './choose.ts'

/** A subscription whose charges can use the unknown payment. */
export interface ComingCharge {
  readonly subscriptionId: string
  /** The amounts of the charges that are due, and of the charge after them. Empty if no amount is known, as for a paused subscription. */
  readonly amounts: readonly Money[]
}

export interface Listed extends Pick<UnknownPayment, 'amount' | 'status' | 'moneyReturned' | 'usedBy' | 'releasedAt'> {
  readonly hasStorefront: boolean
  readonly charges: readonly ComingCharge[]
}

/**
 * `use`: a charge uses the unknown payment. `depends`: a charge uses the payment if the amounts are equal, otherwise
 * the charge waits. `wait`: a charge waits until the payment is released. `refund`: the operator must refund or cancel
 * the payment. `used`: a payment in the database already uses the unknown payment.
 */
export type Step = 'use' | 'depends' | 'wait' | 'refund' | 'nothing' | 'used' | 'released'

export interface NextStep {
  readonly step: Step
  /** What happens to the payment, or what the operator must do. */
  readonly next: string
}

const refundIt = 'refund it at the provider'

const wasReturned = 'the payment was refunded or disputed'

export function nextStep(listed: Listed): NextStep {
  const { amount, status, moneyReturned, usedBy, releasedAt, hasStorefront, charges } = listed
  if (usedBy !== null) return { step: 'used', next: `payment ${usedBy} uses it` }
  if (releasedAt !== null) return { step: 'released', next: 'released' }
  if (moneyReturned && (!hasStorefront || charges.length === 0))
    return { step: 'nothing', next: `nothing: ${wasReturned}` }
  if (!hasStorefront) return { step: 'refund', next: `${refundIt}, unless another installation has the storefront` }
  if (moneyReturned)
    return { step: 'wait', next: `the ${named(charges)} waits until \`restore release\`: ${wasReturned}` }
  const payBack = status === 'pending' ? `cancel it, or ${refundIt} after it is paid` : refundIt
  if (charges.length === 0) return { step: 'refund', next: payBack }
  const equal = charges.filter(({ amounts }) => amounts.some((each) => hasAmount(each, amount)))
  if (equal.length > 0) return { step: 'use', next: `${named(equal)} uses it` }
  const unknown = charges.filter(({ amounts }) => amounts.length === 0)
  if (unknown.length > 0)
    return { step: 'depends', next: `${named(unknown)} uses it if the amounts are equal, otherwise the charge waits` }
  return {
    step: 'refund',
    next: `${payBack}, then run \`restore release\`: the ${named(charges)} has a different amount`,
  }
}

const named = (charges: readonly ComingCharge[]): string =>
  `charge of subscription ${charges.map(({ subscriptionId }) => subscriptionId).join(' or ')}`
