import { asFullPeriod } from './carry.ts'
import type { ChargedChange, Snapshot } from './charged-change.ts'
import { type CyclePosition, share } from './period.ts'
import { effective } from './schedule-change.ts'
import {
  amountOf,
  type Period,
  type PlanTerms,
  type ProrationLine,
  planOf,
  type ScheduledUpdate,
  type Subscription,
  sameInterval,
  sameTerms,
  type Terms,
} from './subscription.ts'

export interface Undoing {
  readonly undone: readonly ChargedChange[]
  readonly standing: readonly ChargedChange[]
  /** Whether another order for the current period is paid or is being charged. The changed terms then apply until the end of this period. */
  readonly isPaidAhead: boolean
  readonly now: Date
}

export interface Undone {
  readonly next: Subscription
  /**
   * `now`: the terms from before the change apply again. `at_renewal`: these terms apply again from the end of the
   * current period.
   */
  readonly when: 'now' | 'at_renewal' | null
  readonly isCycleBack: boolean
  /** The changes that stay in effect, computed as if the changes in `undone` had never been made. */
  readonly standing: readonly ChargedChange[]
}

/**
 * Restores each term that the changes in `undone` set, unless a remaining later change also set the term. Preserves units that a later change added. The time
 * between the change and the undo is neither charged nor credited. If the former period has ended, the next period begins now.
 */
export function undoChanges(subscription: Subscription, undoing: Undoing): Undone {
  const { undone, standing, isPaidAhead } = undoing
  const terms = termsWithout(subscription, undone, standing)
  const rebased = standing.map((change) => rebase(change, undone))
  const stays = { isCycleBack: false, standing: rebased }
  if (isPaidAhead) {
    const next = { ...subscription, scheduledUpdate: returnAtRenewal(subscription, terms) }
    return { ...stays, next, when: next.scheduledUpdate === subscription.scheduledUpdate ? null : 'at_renewal' }
  }
  const cycle = undone.find(movesCycle)
  const next = { ...subscription, ...terms, ...positionWithout(subscription, terms, undoing, cycle) }
  const { scheduledUpdate } = next
  return {
    standing: rebased,
    isCycleBack: cycle !== undefined,
    next: { ...next, scheduledUpdate: scheduledUpdate && effective(scheduledUpdate, next) },
    when: 'now',
  }
}

/** Whether `terms` reverse the whole change: the plan with its price, and the quantity. */
export function isRemovedBy(change: ChargedChange, terms: Terms): boolean {
  return remaining(change, terms).isTakenBack
}

/** Returns the change without the parts that a later change to `terms` reversed. A part is one unit, or the plan with its price. */
export function remaining(change: ChargedChange, terms: Terms): ChargedChange {
  const { before, after } = change
  const isOfferBack = sameOffer(before.terms, terms)
  const [least, most] = [before.terms.quantity, after.terms.quantity].sort((a, b) => a - b) as [number, number]
  const quantity = Math.min(Math.max(terms.quantity, least), most)
  const offer = isOfferBack ? planOf(before.terms) : planOf(after.terms)
  const left = { ...change, after: { ...after, terms: { ...offer, quantity } } }
  return { ...left, isTakenBack: change.isTakenBack || (setsTerms(change) && !setsTerms(left)) }
}

export const movesCycle = ({ before, after }: ChargedChange): boolean =>
  before.cycle.renewedUntil?.getTime() !== after.cycle.renewedUntil?.getTime() ||
  before.cycle.period?.startAt.getTime() !== after.cycle.period?.startAt.getTime() ||
  before.cycle.anchorAt?.getTime() !== after.cycle.anchorAt?.getTime()

/** Plan and price are one term, because a price belongs to a plan. */
const sameOffer = (a: Terms, b: Terms): boolean => sameTerms({ ...a, quantity: 1 }, { ...b, quantity: 1 })
const setsOffer = ({ before, after }: ChargedChange): boolean => !sameOffer(before.terms, after.terms)
const setsQuantity = ({ before, after }: ChargedChange): boolean => before.terms.quantity !== after.terms.quantity
const setsTerms = (change: ChargedChange): boolean => setsOffer(change) || setsQuantity(change)
const unitsOf = (changes: readonly ChargedChange[]): number =>
  changes.reduce((units, { before, after }) => units + after.terms.quantity - before.terms.quantity, 0)

function termsWithout(
  subscription: Subscription,
  undone: readonly ChargedChange[],
  standing: readonly ChargedChange[],
): Terms {
  const offer = standing.some(setsOffer) ? undefined : undone.find(setsOffer)
  const quantities = undone.find(setsQuantity)
  const { quantity } = subscription
  const withoutUnits = standing.some(setsQuantity)
    ? Math.max(1, quantity - unitsOf(undone))
    : (quantities?.before.terms.quantity ?? quantity)
  return { ...planOf(offer?.before.terms ?? subscription), quantity: withoutUnits }
}

function rebase(change: ChargedChange, undone: readonly ChargedChange[]): ChargedChange {
  const earlier = undone.filter(({ orderId }) => orderId < change.orderId)
  const offer = earlier.find(setsOffer)
  const units = unitsOf(earlier)
  const raised = earlier.reduce((sum, each) => sum + raisedPaid(each), 0n)
  const without = ({ terms, cycle, ...rest }: Snapshot, isBefore: boolean): Snapshot => {
    const keepsOffer = !offer || (!isBefore && setsOffer(change))
    const quantity = Math.max(1, terms.quantity - units)
    return {
      ...rest,
      terms: { ...planOf(keepsOffer ? terms : offer.before.terms), quantity },
      cycle: { ...cycle, period: cycle.period && lowered(cycle.period, raised) },
    }
  }
  return { ...change, before: without(change.before, true), after: without(change.after, false) }
}

function raisedPaid(change: ChargedChange): bigint {
  const [before, after] = [change.before.cycle.period, change.after.cycle.period]
  return before && after && !isRestart(change) ? after.paid - before.paid : 0n
}

const isRestart = ({ before, after }: ChargedChange): boolean =>
  before.cycle.period?.startAt.getTime() !== after.cycle.period?.startAt.getTime() ||
  before.cycle.period?.seconds !== after.cycle.period?.seconds

const lowered = (period: Period, by: bigint): Period => ({
  ...period,
  paid: period.paid > by ? period.paid - by : 0n,
})

type Position = Partial<CyclePosition> & Pick<Subscription, 'period' | 'parked'>

function positionWithout(
  subscription: Subscription,
  terms: Terms,
  { undone, now }: Undoing,
  cycle: ChargedChange | undefined,
): Position {
  if (cycle) return positionBefore(subscription, cycle.before, now)
  const { period, parked } = subscription
  const [first] = undone
  const isSamePeriod = period?.startAt.getTime() === first?.before.cycle.period?.startAt.getTime()
  const waited = isSamePeriod ? (first?.before.parked.length ?? 0) : 0
  const kept = parked.filter((line, index) => index < waited || !isOfReturned(line, subscription, terms))
  const dropped = parked.filter((line) => !kept.includes(line))
  return { parked: kept, period: period && paidPeriod(period) }

  function paidPeriod(of: Period): Period {
    // The order of a later period is unpaid and now bills the restored terms, so `paid` changes in the same proportion
    // as the price.
    if (!isSamePeriod) return { ...of, paid: share(of.paid, amountOf(terms), amountOf(subscription)) }
    const raised = undone.reduce((sum, each) => sum + raisedPaid(each), 0n)
    return lowered(of, raised + asFullPeriod(dropped, of))
  }
}

function isOfReturned({ change }: ProrationLine, subscription: Subscription, terms: Terms): boolean {
  const isOffer = !sameOffer(subscription, terms) && Boolean(change?.plan || change?.price)
  return isOffer || (subscription.quantity !== terms.quantity && Boolean(change?.quantity))
}

function positionBefore(subscription: Subscription, { cycle, parked }: Snapshot, now: Date): Position {
  const { status, resumesTo, trialUntil } = subscription
  if (trialUntil) {
    const { anchorAt, cycleNumber, renewedUntil } = subscription
    return { anchorAt, cycleNumber, renewedUntil, period: cycle.period, parked }
  }
  const { renewedUntil, period } = cycle
  const isPaused = status === 'paused' || resumesTo === 'paused'
  if (isPaused || !period || !renewedUntil || renewedUntil > now) return { ...cycle, parked }
  // The next renewal bills the rest of the former cycle from now on. The time until now is not billed.
  return { ...cycle, renewedUntil: now, period: { ...period, endAt: now }, parked }
}

/**
 * Schedules the restored terms for the next renewal, and preserves scheduled fields. A subscription in its grace period
 * does not renew, so it keeps its terms.
 */
function returnAtRenewal(subscription: Subscription, terms: Terms): ScheduledUpdate | null {
  const { scheduledUpdate: before, status } = subscription
  if (status === 'on_grace_period' || sameTerms(terms, subscription)) return before
  const isOffer = !sameOffer(subscription, terms)
  const returned: ScheduledUpdate = {
    plan: before?.plan ?? (isOffer && !samePlan(subscription, terms) ? planOf(terms) : null),
    price: before?.plan ? before.price : (before?.price ?? (isOffer ? terms.price : null)),
    quantity: before?.quantity ?? (subscription.quantity === terms.quantity ? null : terms.quantity),
    anchor: before?.anchor ?? null,
    prorate: before?.prorate ?? true,
  }
  return effective(returned, subscription)
}

const samePlan = (a: PlanTerms, b: PlanTerms): boolean =>
  a.planId === b.planId && a.name === b.name && sameInterval(a.billingInterval, b.billingInterval)
