import type { FailureReason } from '../../payments/rules/failure.ts'

export interface Outcome {
  readonly paymentStatus: 'paid' | 'failed'
  readonly failureReason: FailureReason | null
}

export const notChargeable = 'There is no chargeable payment, because the payment method is not active yet.'

/**
 * Returns the requested outcome. Returns null if the payment stays pending. A failure without a reason becomes
 * `general_failure`.
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
