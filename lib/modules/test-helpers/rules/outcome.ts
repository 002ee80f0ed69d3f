import type { FailureReason } from '../../payments/rules/failure.ts'

/** A test helper's outcome of a payment. A failure has a reason, a payment has none. */
export interface Outcome {
  readonly paymentStatus: 'paid' | 'failed'
  readonly failureReason: FailureReason | null
}

/** Why nothing can be paid, as the refusal on `paymentStatus`. */
export const notChargeable = 'There is no chargeable payment: the payment method is not active yet.'

/**
 * The outcome that a request asks for: a failure without a reason is a `general_failure`. Null leaves the payment
 * pending.
 */
export function outcomeOf(asked: {
  paymentStatus?: 'paid' | 'failed' | null | undefined
  failureReason?: FailureReason | null | undefined
}): Outcome | null {
  if (!asked.paymentStatus) return null
  const isFailure = asked.paymentStatus === 'failed'
  return {
    paymentStatus: asked.paymentStatus,
    failureReason: isFailure ? (asked.failureReason ?? 'general_failure') : null,
  }
}
