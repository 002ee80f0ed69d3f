import type { FailureReason } from '../../payments/rules/failure.ts'

/** One action on a failed payment, so many days after the one before it. */
export interface Step {
  readonly afterDays: number
  /** `remind`: an email. `charge`: another attempt, and an email when it fails too. `exhaust`: the end. */
  readonly does: 'remind' | 'charge' | 'exhaust'
}

export const recoveryKinds = ['soft', 'hard'] as const
export type RecoveryKind = (typeof recoveryKinds)[number]

/**
 * The recovery schedule. A soft decline may pass: it is charged again after 2, 5, 7 and 7 days, 21 in all, and written
 * off when the last attempt fails. A hard one will not: nothing is charged until there is a new payment method, which
 * the emails of days 0, 3 and 6 ask for; on day 7 it is written off.
 */
export const schedules: Readonly<Record<RecoveryKind, readonly Step[]>> = {
  soft: [
    { afterDays: 0, does: 'remind' },
    { afterDays: 2, does: 'charge' },
    { afterDays: 5, does: 'charge' },
    { afterDays: 7, does: 'charge' },
    { afterDays: 7, does: 'charge' },
  ],
  hard: [
    { afterDays: 0, does: 'remind' },
    { afterDays: 3, does: 'remind' },
    { afterDays: 3, does: 'remind' },
    { afterDays: 1, does: 'exhaust' },
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
 * The reason with which the recovery of a failed charge continues. If a dispute removed the payment method, the
 * customer must add a new method, whatever the reason of the failure.
 */
export const reasonWithout = (mandate: object | null, reason: FailureReason): FailureReason =>
  mandate === null && kindOf(reason) === 'soft' ? 'mandate_canceled' : reason

/** Days until the end of a schedule, counted from the step that was done last. */
export function daysUntilEnd(kind: RecoveryKind, stepsDone: number): number {
  return schedules[kind].slice(stepsDone).reduce((days, step) => days + step.afterDays, 0)
}

/** Which reminder the steps done so far have come to: 1 is the first, 3 the last one, 2 any between. */
export function reminderAt(kind: RecoveryKind, stepsDone: number): 1 | 2 | 3 {
  const countReminders = (steps: readonly Step[]) => steps.filter(({ does }) => does === 'remind').length
  const sent = countReminders(schedules[kind].slice(0, stepsDone))
  if (sent <= 1) return 1
  return sent === countReminders(schedules[kind]) ? 3 : 2
}
