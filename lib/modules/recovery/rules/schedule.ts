import type { FailureReason } from '../../payments/rules/failure.ts'

export interface Step {
  readonly daysAfterPreviousStep: number
  /** `email` sends an email to the customer. `charge` makes another attempt, and sends an email if the attempt fails. `exhaust` writes off the order. */
  readonly does: 'email' | 'charge' | 'exhaust'
}

export const recoveryKinds = ['soft', 'hard'] as const
export type RecoveryKind = (typeof recoveryKinds)[number]

/**
 * After a soft decline, charges follow on days 2, 7, 14, and 21, because the reason can be temporary. The order is
 * written off when the last charge fails. After a hard decline, nothing is charged without a new payment method. Emails
 * ask for a new method on days 0, 3, and 6, and the order is written off on day 7.
 */
export const schedules: Readonly<Record<RecoveryKind, readonly Step[]>> = {
  soft: [
    { daysAfterPreviousStep: 0, does: 'email' }, // day 0
    { daysAfterPreviousStep: 2, does: 'charge' }, // day 2
    { daysAfterPreviousStep: 5, does: 'charge' }, // day 7
    { daysAfterPreviousStep: 7, does: 'charge' }, // day 14
    { daysAfterPreviousStep: 7, does: 'charge' }, // day 21
  ],
  hard: [
    { daysAfterPreviousStep: 0, does: 'email' }, // day 0
    { daysAfterPreviousStep: 3, does: 'email' }, // day 3
    { daysAfterPreviousStep: 3, does: 'email' }, // day 6
    { daysAfterPreviousStep: 1, does: 'exhaust' }, // day 7
  ],
}

const kinds: Readonly<Record<FailureReason, RecoveryKind>> = {
  insufficient_funds: 'soft',
  temporary_decline: 'soft',
  general_failure: 'soft',
  invalid_mandate: 'hard',
  mandate_canceled: 'hard',
  account_closed: 'hard',
  card_expired: 'hard',
  card_lost_or_stolen: 'hard',
  invalid_card_details: 'hard',
  authentication_failed: 'hard',
  fraud_suspected: 'hard',
}

export const kindOf = (reason: FailureReason): RecoveryKind => kinds[reason]

/**
 * A retry without a mandate always fails, for example after a dispute has ended the mandate. A soft reason therefore
 * becomes the hard reason `mandate_canceled`, and the customer must add a payment method.
 */
export const reasonWithout = (mandate: object | null, reason: FailureReason): FailureReason =>
  mandate === null && kindOf(reason) === 'soft' ? 'mandate_canceled' : reason

export function daysUntilEnd(kind: RecoveryKind, stepsDone: number): number {
  return schedules[kind].slice(stepsDone).reduce((days, step) => days + step.daysAfterPreviousStep, 0)
}

export function reminderAt(kind: RecoveryKind, stepsDone: number): 1 | 2 | 3 {
  const countEmails = (steps: readonly Step[]) => steps.filter(({ does }) => does === 'email').length
  const sent = countEmails(schedules[kind].slice(0, stepsDone))
  if (sent <= 1) return 1
  return sent === countEmails(schedules[kind]) ? 3 : 2
}
