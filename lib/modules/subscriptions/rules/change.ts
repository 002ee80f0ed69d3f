import { toWire } from '../../../kernel/moment.ts'
import { sum } from '../../../kernel/money.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { BillingLine } from './bill.ts'
import { asFullPeriod, type TimedAmount } from './carry.ts'
import { changeProblems, isChangeable } from './change-problems.ts'
import { type Change, type Changed, changedTerms } from './change-request.ts'
import { firstPeriod, nth, oneCycleAfter, secondsBetween, share } from './period.ts'
import { prorate } from './prorate.ts'
import { periodLine } from './renew.ts'
import { dropAnchorDate, effective, scheduleChange, upcomingInterval } from './schedule-change.ts'
import { waitingFor } from './start.ts'
import { subscriptionStates } from './state.ts'
import {
  amountOf,
  type Period,
  type Subscription,
  sameInterval,
  sameTerms,
  type Terms,
  termsChange,
} from './subscription.ts'

/**
 * Changes a subscription immediately or at its next renewal. Throws `subscription_not_changeable` if the subscription
 * has not started or has ended, or `validation_failed` on the invalid field. `back` has the refunded amounts, which the
 * credit for the unused part of the period excludes.
 */
export function change(
  subscription: Subscription,
  request: Change,
  now: Date,
  back: readonly TimedAmount[] = [],
): Changed {
  mustBeChangeable(subscription, request, now)
  const inTrial = withTrial(subscription, request.trialUntil)
  const rest = request.applyImmediately
    ? keptSchedule(inTrial, changeNow(inTrial, request, { now, back }))
    : scheduleChange(inTrial, request)
  const events =
    inTrial === subscription ? rest.events : [...new Set(['subscription.updated', ...rest.events] as const)]
  return { ...rest, events }
}

function keptSchedule(before: Subscription, changed: Changed): Changed {
  const isSameInterval = sameInterval(upcomingInterval(before), upcomingInterval(changed.next))
  const next = isSameInterval ? changed.next : dropAnchorDate(changed.next)
  const { scheduledUpdate } = next
  return { ...changed, next: { ...next, scheduledUpdate: scheduledUpdate && effective(scheduledUpdate, next) } }
}

function mustBeChangeable(subscription: Subscription, request: Change, now: Date): void {
  if (!isChangeable(subscription, now)) throw new Refusal('subscription_not_changeable')
  const problems = changeProblems(subscription, request, now)
  if (Object.keys(problems).length > 0) throw new Refusal('validation_failed', problems)
}

function withTrial(subscription: Subscription, trialUntil: Date | null): Subscription {
  if (!trialUntil || trialUntil.getTime() === subscription.trialUntil?.getTime()) return subscription
  const status = subscriptionStates.on(subscription.status, 'startTrial', 'subscription_not_changeable')
  return { ...dropAnchorDate(subscription), ...waitingFor(trialUntil), status, trialUntil }
}

const unchanged = (next: Subscription): Changed => ({ next, events: [], lines: [], period: null })
const updated = ['subscription.updated'] as const

interface ChangeMoment {
  readonly now: Date
  readonly back: readonly TimedAmount[]
}

/**
 * Returns the refunded part of the amount that is paid for a full period. A charge that is deferred to the renewal
 * (`parked`) is not paid yet, so no part of this charge counts as refunded.
 */
const givenOf = ({ parked }: Subscription, period: Period, back: readonly TimedAmount[]): bigint =>
  asFullPeriod([...back, ...parked.flatMap((line) => (line.amount > 0n ? { ...line, amount: 0n } : []))], period)

function changeNow(subscription: Subscription, request: Change, moment: ChangeMoment): Changed {
  const terms = changedTerms(subscription, request)
  const movesAnchor = request.anchor !== null && !sameSchedule(subscription, request.anchor)
  if (sameTerms(terms, subscription) && !movesAnchor && !request.resetAnchor) return unchanged(subscription)
  const { period } = subscription
  if (subscription.trialUntil || !period)
    return { next: { ...subscription, ...terms }, events: updated, lines: [], period: null }
  if (request.resetAnchor || !sameInterval(terms.billingInterval, subscription.billingInterval))
    return restartPeriod(subscription, terms, request, moment)

  const { now, back } = moment
  const endAt = request.anchor ?? period.endAt
  if (endAt <= period.startAt)
    throw invalid('anchor', `Must be after the start of the current billing period: ${toWire(period.startAt)}.`)
  const amount = amountOf(terms)
  const named = { name: terms.name, quantity: terms.quantity }
  const part = prorate(period, now, { ...named, amount, endAt }, subscription, {
    given: givenOf(subscription, period, back),
    change: termsChange(subscription, terms),
  })
  if (request.prorate) mustNotBeNegative(part)
  // Adds the refunds that this credit already excludes (`counted`) to the paid amount. Otherwise, the next change would deduct the same refunds again.
  const counted = givenOf(subscription, { ...period, endAt }, [...back, { ...part, until: endAt, amount: 0n }])
  const paid = request.prorate ? amount + counted : null
  const moved = request.anchor
    ? {
        anchorAt: request.anchor,
        cycleNumber: -1,
        renewedUntil: endAt,
        period: { ...period, endAt, paid: paid ?? proratedToFullPeriod(period, endAt) },
      }
    : { period: { ...period, paid: paid ?? period.paid } }
  const due = request.prorate ? part.lines : []
  const parked = request.invoiceImmediately ? subscription.parked : [...subscription.parked, ...due]
  return {
    next: { ...subscription, ...terms, ...moved, parked },
    events: updated,
    lines: request.invoiceImmediately ? due : [],
    period: request.anchor ? 'moved' : null,
  }
}

function restartPeriod(
  subscription: Subscription,
  terms: Terms,
  request: Change,
  { now, back }: ChangeMoment,
): Changed {
  const { period, parked } = subscription
  if (!period) throw new Error('a subscription without a period cannot begin a new period')
  const amount = amountOf(terms)
  const keptSchedule = request.anchor
    ? shortenedPeriod(request.anchor, now, terms, request.prorate)
    : firstPeriod(now, terms.billingInterval, amount)
  const next: Subscription = { ...subscription, ...terms, ...keptSchedule, parked: [] }
  const changed = termsChange(subscription, terms)
  const charged: BillingLine = { ...periodLine(next, request.prorate), ...(changed && { change: changed }) }
  const given = givenOf(subscription, period, back)
  const nothing = { name: terms.name, quantity: terms.quantity, amount: 0n, endAt: now }
  const { credit, lines } = prorate(period, now, nothing, subscription, { given, change: changed })
  if (request.prorate) mustNotBeNegative({ credit, charge: costOf(charged) })
  const due = [...(request.prorate ? lines : []), charged, ...parked]
  const isCredited = request.prorate && credit > 0n
  return {
    next: isCredited ? creditedBy(next, back, now) : next,
    events: updated,
    lines: sum(due.map(costOf)) === 0n ? [] : due,
    period: 'new',
  }
}

/** Adds the refunds that the credit already excludes to the paid amount. Otherwise, the next change would deduct the same refunds again. */
function creditedBy(next: Subscription, back: readonly TimedAmount[], now: Date): Subscription {
  const { period } = next
  if (!period) return next
  const paid = period.paid + givenOf(next, period, [...back, { from: now, until: period.endAt, amount: 0n }])
  return { ...next, period: { ...period, paid } }
}

/**
 * Whether the anchor of the subscription and `anchor` give the same billing dates. Anchors on the 28th and on the 31st
 * give the same date in February, but not in March.
 */
const sameSchedule = ({ anchorAt, cycleNumber, renewedUntil, billingInterval }: Subscription, anchor: Date): boolean =>
  anchorAt !== null &&
  anchor.getTime() === renewedUntil?.getTime() &&
  Array.from({ length: 13 }, (_, n) => n).every(
    (n) => nth(anchor, billingInterval, n).getTime() === nth(anchorAt, billingInterval, cycleNumber + 1 + n).getTime(),
  )

function shortenedPeriod(anchor: Date, now: Date, { billingInterval, ...terms }: Terms, prorated: boolean) {
  const seconds = secondsBetween(now, oneCycleAfter(now, billingInterval))
  const amount = amountOf(terms)
  const paid = prorated ? amount : share(amount, seconds, secondsBetween(now, anchor))
  const period = { startAt: now, endAt: anchor, seconds, paid }
  return { anchorAt: anchor, cycleNumber: -1, renewedUntil: anchor, period }
}

const proratedToFullPeriod = (period: NonNullable<Subscription['period']>, endAt: Date): bigint =>
  share(period.paid, secondsBetween(period.startAt, period.endAt), secondsBetween(period.startAt, endAt))

export const creditExceedsCharge =
  'The credit for unused time exceeds the new charge. Send applyImmediately false to change at the next renewal.'

function mustNotBeNegative({ credit, charge }: { credit: bigint; charge: bigint }): void {
  if (credit > charge) throw invalid('applyImmediately', creditExceedsCharge)
}

const costOf = (line: BillingLine): bigint =>
  line.kind === 'period' ? line.unitPrice * BigInt(line.quantity) : line.amount
