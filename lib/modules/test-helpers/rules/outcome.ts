import type { FailureReason } from '../../payments/rules/failure.ts'

export interface Outcome {
  readonly paymentStatus: 'paid' | 'failed'
  readonly failureReason: FailureReason | null
}

/** The refusal on `paymentStatus`. */
export const notChargeable = 'There is no chargeable payment: the payment method is not active yet.'

/** A failure without a reason is a `general_failure`. Null leaves the payment pending. */
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
