import { addDuration } from '../../../kernel/calendar.ts'
import { machine, type StateOf } from '../../../kernel/machine.ts'
import type { FailureReason } from '../../payments/rules/failure.ts'
import { daysUntilEnd, kindOf, type RecoveryKind, type Step, schedules } from './schedule.ts'

/** `ended`: the subscription ended before the payment came. */
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
  /** Null for a purchase: its order belongs to no single subscription. */
  readonly subscriptionId: string | null
  readonly orderId: string
  readonly collects: Collects
  readonly kind: RecoveryKind
  readonly failureReason: FailureReason
  readonly lastFailure: { readonly reason: FailureReason; readonly at: Date }
  /** A test helper began the recovery: its attempts wait to be simulated. */
  readonly simulated: boolean
  readonly stepsDone: number
  /** Null while the outcome of a step's attempt is not known: the schedule waits. */
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

/** Whether renewals wait for the end of the recovery. The order of a change never holds back a renewal. */
export const holdsRenewals = ({ collects }: Pick<Recovery, 'collects'>): boolean => collects !== 'change'

export const nextStep = ({ kind, stepsDone }: Pick<Recovery, 'kind' | 'stepsDone'>): Step | null =>
  schedules[kind][stepsDone] ?? null

export const isLastStep = ({ kind, stepsDone }: Recovery): boolean => stepsDone >= schedules[kind].length - 1

/** The next step is due after its days. */
export function stepDone(recovery: Recovery, now: Date): Recovery {
  const next = { ...recovery, stepsDone: recovery.stepsDone + 1 }
  return { ...next, nextStepAt: dueAfter(next, now) }
}

/** Nothing is due until the attempt's outcome is known. */
export const attempted = (recovery: Recovery): Recovery => ({
  ...recovery,
  stepsDone: recovery.stepsDone + 1,
  nextStepAt: null,
})

/**
 * If the attempt was a step's own, the next step is due after its days; null without a further step. Another attempt,
 * on a new payment method, leaves the schedule. A hard decline ends the retries of a soft one, and its own schedule
 * begins now.
 */
export function attemptFailed(recovery: Recovery, reason: FailureReason, now: Date): Recovery | null {
  const next = afterAttempt(recovery, reason, now)
  return next && failedAgain(next, reason, now)
}

export const failedAgain = (recovery: Recovery, reason: FailureReason, now: Date): Recovery => ({
  ...recovery,
  lastFailure: { reason, at: now },
})

/** The next step is due as after a failure for the same reason. */
export const attemptWithdrawn = (recovery: Recovery, now: Date): Recovery | null =>
  afterAttempt(recovery, recovery.failureReason, now)

function afterAttempt(recovery: Recovery, reason: FailureReason, now: Date): Recovery | null {
  const isWorse = recovery.kind === 'soft' && kindOf(reason) === 'hard'
  if (isWorse) return { ...recovery, kind: 'hard', failureReason: reason, stepsDone: 0, nextStepAt: now }
  if (recovery.nextStepAt) return recovery
  const nextStepAt = dueAfter(recovery, now)
  return nextStepAt && { ...recovery, nextStepAt }
}

/** The schedule of a soft decline follows; its first step, the email about the charge, is done now. */
export const disproved = (recovery: Recovery, now: Date): Recovery =>
  stepDone({ ...recovery, kind: 'soft', stepsDone: 0 }, now)

/** For a returned payment of an order that is no longer collected. */
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

/** Null while a charge is on its way, and for a purchase: an email replaces each charge of a purchase. */
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
 * Null if the merchant can retry the payment now. A permanently declined method is not charged again, and a direct
 * debit is not collected before the announced day.
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

/** Its end is later, or unknown while a charge is on its way. */
export function mayHoldBack(recovery: Recovery, due: Date): boolean {
  if (!holdsRenewals(recovery)) return false
  const end = endsAt(recovery)
  return end === null || end >= due
}

function dueAfter(recovery: Recovery, now: Date): Date | null {
  const step = nextStep(recovery)
  return step && addDuration(now, { days: step.afterDays })
}
