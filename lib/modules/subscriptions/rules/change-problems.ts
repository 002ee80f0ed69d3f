import type { BillingInterval } from '../../../kernel/calendar.ts'
import { toWire } from '../../../kernel/moment.ts'
import type { FieldErrors } from '../../../kernel/refusal.ts'
import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'
import { amountField, type Change, lineProblem } from './change-request.ts'
import { oneCycleAfter } from './period.ts'
import { merged, upcomingInterval } from './schedule-change.ts'
import { isOngoing } from './state.ts'
import { type Subscription, sameInterval, scheduledTerms } from './subscription.ts'

export function isChangeable(subscription: Subscription, now: Date): boolean {
  const { status, renewedUntil } = subscription
  const isOver = status === 'on_grace_period' && renewedUntil !== null && renewedUntil <= now
  return isOngoing(subscription) && !isOver
}

type Wrong = Readonly<Record<string, string | RuleProblem | false | null>>

/** Returns the problems that are known before the change is computed. The result is empty for a subscription that cannot be changed. */
export function changeProblems(subscription: Subscription, request: Change, now: Date): FieldErrors {
  if (!isChangeable(subscription, now)) return {}
  const wrong = [
    ...[inGracePeriod(subscription, request), inPause(subscription, request), inTrial(subscription, request)],
    ...[ofAnchor(subscription, request, now), ofTrialEnd(subscription, request, now)],
    ...[besideWaitingRenewal(subscription, request, now), ofAmount(subscription, request)],
  ]
  const problems: Record<string, (string | RuleProblem)[]> = {}
  for (const [field, problem] of wrong.flatMap((each) => Object.entries(each)))
    if (problem) problems[field] ??= [problem]
  return problems
}

function inGracePeriod({ status, billingInterval }: Subscription, request: Change): Wrong {
  if (status !== 'on_grace_period') return {}
  const resumeFirst = 'The subscription is in its grace period. Resume it first'
  const isOtherCycle = request.plan !== null && !sameInterval(request.plan.billingInterval, billingInterval)
  return {
    applyImmediately: !request.applyImmediately && `${resumeFirst}, or send true.`,
    anchor: request.anchor !== null && `${resumeFirst}.`,
    resetAnchor: request.resetAnchor && `${resumeFirst}.`,
    trialUntil: request.trialUntil !== null && `${resumeFirst}.`,
    subscriptionPlanId: isOtherCycle && ruleProblem('plan_in_grace_period'),
  }
}

function inPause({ status }: Subscription, request: Change): Wrong {
  if (status !== 'paused') return {}
  const unpauseFirst = 'The subscription is paused'
  return {
    applyImmediately:
      request.applyImmediately && `${unpauseFirst}. Send false, so that the change applies at the next renewal.`,
    trialUntil: request.trialUntil !== null && `${unpauseFirst}. A paused subscription cannot start a trial.`,
  }
}

function inTrial({ status, trialUntil }: Subscription, request: Change): Wrong {
  if (!request.trialUntil && !(status === 'trial' && trialUntil)) return {}
  return {
    resetAnchor: request.resetAnchor && 'Cannot be sent for a trial, because the end of the trial is the anchor.',
    anchor:
      request.anchor !== null &&
      request.applyImmediately &&
      'The end of the trial is the anchor: send trialUntil to move it.',
  }
}

/** An anchor date can be at most one billing interval ahead. The limit uses the billing interval that applies on the anchor date. */
function ofAnchor(subscription: Subscription, { anchor, plan, applyImmediately }: Change, now: Date): Wrong {
  if (!anchor) return {}
  const billingInterval: BillingInterval =
    plan?.billingInterval ?? (applyImmediately ? subscription.billingInterval : upcomingInterval(subscription))
  const last = oneCycleAfter(now, billingInterval)
  if (anchor > now && anchor <= last) return {}
  const day = (moment: Date) => toWire(moment).slice(0, 10)
  return {
    anchor: `Must be a day after ${day(now)} (UTC) and at most one interval ahead: until ${day(last)}.`,
  }
}

function ofTrialEnd({ trialUntil, period }: Subscription, request: Change, now: Date): Wrong {
  if (!request.trialUntil || request.trialUntil.getTime() === trialUntil?.getTime()) return {}
  const paidUntil = period?.endAt ?? now
  if (request.trialUntil <= now) return { trialUntil: `Must be in the future. The time now is ${toWire(now)}.` }
  const isTooEarly = request.trialUntil < paidUntil
  return { trialUntil: isTooEarly && `Must not be before the end of the paid period: ${toWire(paidUntil)}.` }
}

/**
 * Returns a problem if the change begins a new period while a due renewal waits for a recovery. Otherwise, the new
 * period would replace the period of that renewal.
 */
function besideWaitingRenewal(
  { status, renewedUntil, billingInterval }: Subscription,
  request: Change,
  now: Date,
): Wrong {
  if (!request.applyImmediately && !request.trialUntil) return {}
  if (status !== 'active' || !renewedUntil || renewedUntil > now) return {}
  const notCharged = ruleProblem('renewal_not_charged', { due: renewedUntil })
  const isOtherCycle =
    request.applyImmediately && request.plan !== null && !sameInterval(request.plan.billingInterval, billingInterval)
  return {
    anchor: request.anchor !== null && notCharged,
    resetAnchor: request.resetAnchor && notCharged,
    trialUntil: request.trialUntil !== null && notCharged,
    subscriptionPlanId: isOtherCycle && notCharged,
  }
}

function ofAmount(subscription: Subscription, request: Change): Wrong {
  const { atOnce, later } = termsAfter(subscription, request)
  // Checks the terms that apply now only if the change is immediate. Before a scheduled change, these terms are already
  // billed, and a converted price can exceed the limit of new orders.
  const problem = request.applyImmediately ? lineProblem(atOnce) : null
  return { [amountField(request)]: problem ?? (later && lineProblem(later)) }
}

export function termsAfter(
  subscription: Subscription,
  request: Change,
): { readonly atOnce: Subscription; readonly later: Subscription | null } {
  const { scheduledUpdate } = subscription
  const atOnce = request.applyImmediately ? { ...subscription, ...scheduledTerms(subscription, request) } : subscription
  const update = request.applyImmediately ? scheduledUpdate : merged(scheduledUpdate, request, subscription)
  return { atOnce, later: update && { ...atOnce, ...scheduledTerms(atOnce, update) } }
}
