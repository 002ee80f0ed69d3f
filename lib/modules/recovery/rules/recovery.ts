import { addDuration } from '../../../kernel/calendar.ts'
import { machine, type StateOf } from '../../../kernel/machine.ts'
import type { FailureReason } from '../../payments/rules/failure.ts'
import { daysUntilEnd, kindOf, type RecoveryKind, type Step, schedules } from './schedule.ts'

/** `ended`: the collection stopped before the order was paid, for example because the subscription ended or the change was undone. */
export const recoveryStates = machine({
  open: { recover: 'recovered', exhaust: 'exhausted', end: 'ended' },
  recovered: {},
  exhausted: {},
  ended: {},
})
export type RecoveryStatus = StateOf<typeof recoveryStates>

export const collected = ['sale', 'renewal', 'change'] as const
export type Collects = (typeof collected)[number]

export interface Recovery {
  readonly id: string
  /** Null for a purchase, because the order of a purchase can start several subscriptions. */
  readonly subscriptionId: string | null
  readonly orderId: string
  readonly collects: Collects
  readonly kind: RecoveryKind
  readonly failureReason: FailureReason
  readonly lastFailure: { readonly reason: FailureReason; readonly at: Date }
  /** True if a test helper started the recovery. Test helpers then decide the outcome of its attempts. */
  readonly simulated: boolean
  readonly stepsDone: number
  /** Null while the outcome of an attempt is unknown, because the schedule waits for the outcome. */
  readonly nextStepAt: Date | null
  readonly status: RecoveryStatus
  readonly startedAt: Date
  readonly finishedAt: Date | null
}

export const open = (failed: {
  id: string
  subscriptionId: string | null
  orderId: string
  collects: Collects
  reason: FailureReason
  simulated: boolean
  now: Date
}): Recovery => ({
  id: failed.id,
  subscriptionId: failed.subscriptionId,
  orderId: failed.orderId,
  collects: failed.collects,
  kind: kindOf(failed.reason),
  failureReason: failed.reason,
  lastFailure: { reason: failed.reason, at: failed.now },
  simulated: failed.simulated,
  stepsDone: 0,
  nextStepAt: failed.now,
  status: 'open',
  startedAt: failed.now,
  finishedAt: null,
})

/** Whether the recovery delays renewals. The recovery of a change never delays renewals. */
export const holdsRenewals = ({ collects }: Pick<Recovery, 'collects'>): boolean => collects !== 'change'

export const nextStep = ({ kind, stepsDone }: Pick<Recovery, 'kind' | 'stepsDone'>): Step | null =>
  schedules[kind][stepsDone] ?? null

export const isLastStep = ({ kind, stepsDone }: Recovery): boolean => stepsDone >= schedules[kind].length - 1

export function stepDone(recovery: Recovery, now: Date): Recovery {
  const next = { ...recovery, stepsDone: recovery.stepsDone + 1 }
  return { ...next, nextStepAt: dueAfter(next, now) }
}

export const attempted = (recovery: Recovery): Recovery => ({
  ...recovery,
  stepsDone: recovery.stepsDone + 1,
  nextStepAt: null,
})

/**
 * Returns the recovery after a failed attempt, or null if no step follows. If the attempt was a step of the schedule,
 * the next step is due after the scheduled days. A failed attempt on a new payment method does not change the schedule.
 * The first hard decline starts the schedule of hard declines.
 */
export function attemptFailed(recovery: Recovery, reason: FailureReason, now: Date): Recovery | null {
  const next = afterAttempt(recovery, reason, now)
  return next && failedAgain(next, reason, now)
}

export const failedAgain = (recovery: Recovery, reason: FailureReason, now: Date): Recovery => ({
  ...recovery,
  lastFailure: { reason, at: now },
})

/**
 * Returns the recovery after an attempt was canceled without an outcome. The next step is due at the same time as after
 * a failure with the recovery's current reason.
 */
export const attemptWithdrawn = (recovery: Recovery, now: Date): Recovery | null =>
  afterAttempt(recovery, recovery.failureReason, now)

function afterAttempt(recovery: Recovery, reason: FailureReason, now: Date): Recovery | null {
  const isWorse = recovery.kind === 'soft' && kindOf(reason) === 'hard'
  if (isWorse) return { ...recovery, kind: 'hard', failureReason: reason, stepsDone: 0, nextStepAt: now }
  if (recovery.nextStepAt) return recovery
  const nextStepAt = dueAfter(recovery, now)
  return nextStepAt && { ...recovery, nextStepAt }
}

/**
 * Restarts the recovery with the schedule of a soft decline at `now`. Call this function if another charge on the
 * declined payment method was paid. The first step counts as done, because the caller sends an email that announces the
 * next charge.
 */
export const disproved = (recovery: Recovery, now: Date): Recovery =>
  stepDone({ ...recovery, kind: 'soft', stepsDone: 0 }, now)

export const endReturned = (recovery: Recovery, now: Date): Recovery => ({
  ...recovery,
  status: 'ended',
  nextStepAt: null,
  finishedAt: now,
})

export const finish = (recovery: Recovery, how: 'recover' | 'exhaust' | 'end', now: Date): Recovery => ({
  ...recovery,
  status: recoveryStates.on(recovery.status, how),
  nextStepAt: null,
  finishedAt: now,
})

/**
 * Returns the time of the next scheduled charge. Returns null while a charge is in progress, or if the next step is not
 * a charge. Always returns null for a purchase, because its buyer pays through a link in an email.
 */
export const chargedAgainAt = (
  recovery: Pick<Recovery, 'subscriptionId' | 'kind' | 'stepsDone' | 'nextStepAt'>,
): Date | null =>
  recovery.subscriptionId !== null && nextStep(recovery)?.does === 'charge' ? recovery.nextStepAt : null

export function endsAt({
  kind,
  stepsDone,
  nextStepAt,
}: Pick<Recovery, 'kind' | 'stepsDone' | 'nextStepAt'>): Date | null {
  return nextStepAt && addDuration(nextStepAt, { days: daysUntilEnd(kind, stepsDone + 1) })
}

export const attemptsOf = ({
  kind,
  stepsDone,
}: Pick<Recovery, 'kind' | 'stepsDone'>): { made: number; most: number } => {
  const charges = (steps: readonly Step[]) => steps.filter(({ does }) => does === 'charge').length
  return { made: 1 + charges(schedules[kind].slice(0, stepsDone)), most: 1 + charges(schedules[kind]) }
}

export type RetryBlock = 'attempt_open' | 'buyer_pays' | 'method_needed' | 'debit_announced'

/**
 * Returns why the merchant cannot retry the payment now; null if a retry is possible. A direct debit cannot be retried,
 * because each debit is collected only on its announced day.
 */
export function retryBlock(
  { subscriptionId, lastFailure }: Pick<Recovery, 'subscriptionId' | 'lastFailure'>,
  mandate: { readonly method: string; readonly status: 'valid' | 'pending' } | null,
  hasOpenAttempt: boolean,
): RetryBlock | null {
  if (hasOpenAttempt) return 'attempt_open'
  if (subscriptionId === null) return 'buyer_pays'
  if (mandate?.status !== 'valid' || kindOf(lastFailure.reason) === 'hard') return 'method_needed'
  return mandate.method === 'sepa_debit' ? 'debit_announced' : null
}

export const isChargeDue = (recovery: Recovery, now: Date): boolean =>
  recovery.nextStepAt !== null && recovery.nextStepAt <= now && nextStep(recovery)?.does === 'charge'

/**
 * Whether the recovery can still delay a renewal at the time `due`. True while a charge is in progress, because the end of the recovery is
 * then unknown. False for the recovery of a change.
 */
export function mayHoldBack(recovery: Recovery, due: Date): boolean {
  if (!holdsRenewals(recovery)) return false
  const end = endsAt(recovery)
  return end === null || end >= due
}

function dueAfter(recovery: Recovery, now: Date): Date | null {
  const step = nextStep(recovery)
  return step && addDuration(now, { days: step.daysAfterPreviousStep })
}
