import type { Money } from '../../../kernel/money.ts'
import type { FailureReason } from '../../payments/rules/failure.ts'
import { chargedAgainAt, endsAt, type Recovery } from './recovery.ts'
import { kindOf, type RecoveryKind } from './schedule.ts'

export interface PaymentFailure {
  readonly failureReason: FailureReason
  readonly declineType: RecoveryKind
  readonly failedAt: Date
  /**
   * Null for the recovery of a purchase. Also null while a charge is in progress, or if the next step of the schedule
   * is not a charge.
   */
  readonly nextAttemptAt: Date | null
}

export interface OpenRecovery extends PaymentFailure {
  readonly orderId: string
  readonly amountDue: Money
  /**
   * The time at which the recovery ends if no attempt succeeds. Null while a charge is in progress, because the end is
   * counted from the failure of that charge.
   */
  readonly endsAt: Date | null
  readonly waitsFor: 'simulate-payment' | null
}

type Failed = Pick<Recovery, 'subscriptionId' | 'kind' | 'stepsDone' | 'nextStepAt' | 'lastFailure'>

export const paymentFailure = (recovery: Failed): PaymentFailure => ({
  failureReason: recovery.lastFailure.reason,
  declineType: kindOf(recovery.lastFailure.reason),
  failedAt: recovery.lastFailure.at,
  nextAttemptAt: chargedAgainAt(recovery),
})

export const finalFailure = (reason: FailureReason, at: Date): PaymentFailure => ({
  failureReason: reason,
  declineType: kindOf(reason),
  failedAt: at,
  nextAttemptAt: null,
})

export const openRecovery = (
  recovery: Failed & Pick<Recovery, 'orderId'>,
  { amountDue, isSimulated }: { amountDue: Money; isSimulated: boolean },
): OpenRecovery => ({
  ...paymentFailure(recovery),
  orderId: recovery.orderId,
  amountDue,
  endsAt: endsAt(recovery),
  waitsFor: isSimulated ? 'simulate-payment' : null,
})
