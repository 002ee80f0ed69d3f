import type { BillingInterval } from '../../../kernel/calendar.ts'
import { toWire } from '../../../kernel/moment.ts'
import type { FieldErrors } from '../../../kernel/refusal.ts'
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

type Wrong = Readonly<Record<string, string | false | null>>

/** Problems that can be found before a change is computed. Empty for a subscription that cannot be changed. */
export function changeProblems(subscription: Subscription, request: Change, now: Date): FieldErrors {
  if (!isChangeable(subscription, now)) return {}
  const wrong = [
    ...[inGracePeriod(subscription, request), inPause(subscription, request), inTrial(subscription, request)],
    ...[ofAnchor(subscription, request, now), ofTrialEnd(subscription, request, now)],
    ...[besideWaitingRenewal(subscription, request, now), ofAmount(subscription, request)],
  ]
  const problems: Record<string, string[]> = {}
  for (const [field, sentence] of wrong.flatMap((each) => Object.entries(each)))
    if (sentence) problems[field] ??= [sentence]
  return problems
}

function inGracePeriod({ status, billingInterval }: Subscription, request: Change): Wrong {
  if (status !== 'on_grace_period') return {}
  const resumeFirst = 'The subscription is canceled and in its grace period: resume it first'
  const isOtherCycle = request.plan !== null && !sameInterval(request.plan.billingInterval, billingInterval)
  return {
    applyImmediately: !request.applyImmediately && `${resumeFirst}, or send true.`,
    anchor: request.anchor !== null && `${resumeFirst}.`,
    resetAnchor: request.resetAnchor && `${resumeFirst}.`,
    trialUntil: request.trialUntil !== null && `${resumeFirst}.`,
    subscriptionPlanId: isOtherCycle && `${resumeFirst}, or choose a plan with the same interval.`,
  }
}

function inPause({ status }: Subscription, request: Change): Wrong {
  if (status !== 'paused') return {}
  const unpauseFirst = 'The subscription is paused'
  return {
    applyImmediately: request.applyImmediately && `${unpauseFirst}: a change waits for its next renewal.`,
    trialUntil: request.trialUntil !== null && `${unpauseFirst} and cannot begin a trial.`,
  }
}

function inTrial({ status, trialUntil }: Subscription, request: Change): Wrong {
  if (!request.trialUntil && !(status === 'trial' && trialUntil)) return {}
  return {
    resetAnchor: request.resetAnchor && 'The end of the trial is the anchor.',
    anchor:
      request.anchor !== null &&
      request.applyImmediately &&
      'The end of the trial is the anchor: send trialUntil to move it.',
  }
}

/** The anchor date is at most one interval ahead. The interval is the one that applies at that time. */
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
  if (request.trialUntil <= now) return { trialUntil: `Must be in the future: it is ${toWire(now)}.` }
  const isTooEarly = request.trialUntil < paidUntil
  return { trialUntil: isTooEarly && `Must not be before the end of what is paid: ${toWire(paidUntil)}.` }
}

/** A due period that waits, as during a recovery, must not be lost to a period that begins now. */
function besideWaitingRenewal(
  { status, renewedUntil, billingInterval }: Subscription,
  request: Change,
  now: Date,
): Wrong {
  if (!request.applyImmediately && !request.trialUntil) return {}
  if (status !== 'active' || !renewedUntil || renewedUntil > now) return {}
  const due = toWire(renewedUntil)
  const sentence = `The renewal of ${due} is due and waits to be charged: the cycle cannot be moved until then.`
  const isOtherCycle =
    request.applyImmediately && request.plan !== null && !sameInterval(request.plan.billingInterval, billingInterval)
  return {
    anchor: request.anchor !== null && sentence,
    resetAnchor: request.resetAnchor && sentence,
    trialUntil: request.trialUntil !== null && sentence,
    subscriptionPlanId: isOtherCycle && sentence,
  }
}

function ofAmount(subscription: Subscription, request: Change): Wrong {
  const { atOnce, later } = termsAfter(subscription, request)
  // An amount that is already billed may exceed the limit of new orders, because its price was converted.
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
