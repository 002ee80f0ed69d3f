import { type Answer, invalid, refused } from './answer.ts'
import { beginTrial, bill, prorations, setTimer } from './passing-time.ts'
import { beginPeriod, bills, cutPeriod, firstPeriod } from './periods.ts'
import { netOf, partsOf, totalOf } from './reversal.ts'
import { keepRemaining, sameOffer, snapshotOf, takeBack, takenBack } from './undo.ts'
import {
  amountOf,
  cycleFrom,
  fullOf,
  latest,
  recordEvent,
  type ScheduledUpdate,
  type Subscription,
  sameCycle,
  scheduledTerms,
  seconds,
  share,
  type Terms,
  viewOf,
  type World,
} from './world.ts'

export interface Change {
  readonly plan?: number
  readonly price?: bigint
  readonly quantity?: number
  readonly prorate: boolean
  readonly applyImmediately: boolean
  readonly invoiceImmediately: boolean
  readonly anchor?: Date
  readonly resetAnchor: boolean
  readonly trialUntil?: Date
}

const mostPerLine = 9_999_999_999n

export function change(world: World, subscription: Subscription, request: Change): Answer {
  const { status } = subscription
  const broken = brokenRules(world, subscription, request)
  const ill = illFormed(request)
  // The service reports all problems in one response, including problems of the subscription's status.
  if (ill.length > 0) return invalid(...ill, ...broken)
  // If a request breaks a rule and the status also forbids the change, the service may report either problem. The model
  // then expects only the status code 422.
  if (status === 'created' || status === 'canceled')
    return broken.length > 0 ? { status: 422 } : refused(422, 'subscription_not_changeable')
  if (broken.length > 0) return invalid(...broken)

  const { trialUntil } = request
  const movesTrial = trialUntil !== undefined && trialUntil.getTime() !== subscription.trialUntil?.getTime()
  const isTrial = movesTrial || subscription.trialUntil !== null
  const taken =
    request.applyImmediately && !request.anchor && !request.resetAnchor
      ? takenBack(world, subscription, asked(world, subscription, request))
      : null
  const base = taken?.without ?? subscription
  // A trial has no proration, so no amount can be negative.
  if (request.applyImmediately && !isTrial && request.prorate && isNegative(world, base, request))
    return invalid('applyImmediately')

  // A new end of the trial applies immediately, even if the other changes are scheduled.
  if (movesTrial && trialUntil) {
    dropAnchorDate(subscription)
    beginTrial(subscription, trialUntil)
  }
  const before = [...subscription.events]
  const cycleBefore = scheduledTerms(subscription)
  if (taken) takeBack(world, subscription, taken)
  if (request.applyImmediately) changeNow(world, subscription, request)
  else scheduleChange(world, subscription, request)
  if (request.applyImmediately && !sameCycle(cycleBefore, scheduledTerms(subscription))) dropAnchorDate(subscription)
  if (request.applyImmediately) dropWithoutEffect(subscription)
  if (taken && !subscription.events.slice(before.length).some((event) => event.startsWith('subscription.updated')))
    recordEvent(subscription, 'subscription.updated updated_immediately')
  const isReported = subscription.events[before.length]?.startsWith('subscription.updated')
  if (movesTrial && !isReported)
    subscription.events.splice(before.length, 0, 'subscription.updated updated_immediately')
  setTimer(world, subscription)
  return { status: 200, shows: viewOf(subscription) }
}

export const mayChangeInPortal = ({ status, mandate, orders, scheduled, terms }: Subscription): boolean =>
  (status === 'active' || status === 'trial') &&
  mandate !== null &&
  orders.some((order) => order.hasInvoice && order.status === 'paid') &&
  !orders.some((order) => order.status === 'pending' || order.recovery?.open) &&
  areSameTerms(scheduledTerms({ terms, scheduled }), terms)

const areSameTerms = (a: Terms, b: Terms) =>
  amountOf(a) === amountOf(b) && a.plan === b.plan && a.quantity === b.quantity

/**
 * An increase of the amount is charged immediately, and any other change is scheduled
 * (docs/decisions/0034-changes-in-the-portal.md). A higher quantity at the price 0.00 is no increase.
 */
export function changeInPortal(world: World, subscription: Subscription, quantity: number): Answer {
  const isIncrease = quantity > subscription.terms.quantity && subscription.terms.price > 0n
  const request = { quantity, prorate: true, resetAnchor: false }
  const answer = change(world, subscription, {
    ...request,
    applyImmediately: isIncrease,
    invoiceImmediately: isIncrease,
  })
  return answer.status === 200 ? answer : { status: 422 }
}

function illFormed({ plan, price, quantity, anchor, resetAnchor, trialUntil }: Change): string[] {
  const fields: string[] = []
  if (plan === undefined && price === undefined && quantity === undefined) fields.push('subscriptionPlanId')
  if (anchor && resetAnchor) fields.push('anchor')
  if (anchor && trialUntil) fields.push('trialUntil')
  return fields
}

function brokenRules(world: World, subscription: Subscription, request: Change): string[] {
  const { status, terms, period, renewedUntil, inclusive } = subscription
  const { applyImmediately, anchor, resetAnchor, trialUntil } = request
  const target = named(world, subscription, request)
  const isSwitch = request.plan !== undefined && request.plan !== terms.plan
  const plan = isSwitch ? world.plans[request.plan] : undefined
  const fields: string[] = []
  const refuse = (when: boolean, field: string) => when && fields.push(field)

  refuse(plan?.archived === true, 'subscriptionPlanId')
  refuse(plan !== undefined && plan.inclusive !== inclusive, 'subscriptionPlanId')
  const asIsNow = { ...subscription, scheduled: applyImmediately ? target : merged(subscription, target, request) }
  const { quantity, price } = request
  const amountField = quantity !== undefined ? 'quantity' : price !== undefined ? 'price' : 'subscriptionPlanId'
  refuse(amountOf(scheduledTerms(asIsNow)) > mostPerLine, amountField)

  const asItWillBe = { terms: scheduledTerms(asIsNow), scheduled: applyImmediately ? subscription.scheduled : null }
  refuse(amountOf(scheduledTerms(asItWillBe)) > mostPerLine, amountField)

  if (status === 'on_grace_period') {
    refuse(!applyImmediately, 'applyImmediately')
    refuse(anchor !== undefined, 'anchor')
    refuse(resetAnchor, 'resetAnchor')
    refuse(trialUntil !== undefined, 'trialUntil')
    refuse(isSwitch && !sameCycle(scheduledTerms({ terms, scheduled: target }), terms), 'subscriptionPlanId')
  }
  if (status === 'paused') {
    refuse(applyImmediately, 'applyImmediately')
    refuse(trialUntil !== undefined, 'trialUntil')
  }
  // The end of a trial is the anchor of the subscription, so a request cannot set another anchor that applies
  // immediately.
  const isTrial = status === 'trial' || trialUntil !== undefined
  refuse(isTrial && resetAnchor, 'resetAnchor')
  refuse(isTrial && anchor !== undefined && applyImmediately, 'anchor')
  if (anchor) {
    const billingInterval = scheduledTerms(asIsNow)
    refuse(anchor <= world.now || anchor > cycleFrom(world.now, billingInterval, 1), 'anchor')
  }
  // A renewal in recovery must not be replaced by a period that starts now.
  if (status === 'active' && renewedUntil && renewedUntil <= world.now && (applyImmediately || trialUntil)) {
    refuse(anchor !== undefined, 'anchor')
    refuse(resetAnchor, 'resetAnchor')
    refuse(trialUntil !== undefined, 'trialUntil')
    refuse(applyImmediately && !sameCycle(scheduledTerms({ terms, scheduled: target }), terms), 'subscriptionPlanId')
  }
  // A new anchor must lie after the start of the current period. This start is in the future if the period was billed
  // ahead.
  const { restartsPeriod } = outcome(world, subscription, request)
  const endsBefore = anchor !== undefined && period !== null && anchor <= period.start
  if (endsBefore && applyImmediately && !isTrial && !restartsPeriod) {
    refuse(true, 'anchor')
    refuse(request.prorate, 'applyImmediately')
  }
  if (trialUntil && trialUntil.getTime() !== subscription.trialUntil?.getTime())
    refuse(trialUntil <= world.now || (period !== null && trialUntil < period.end), 'trialUntil')
  return fields
}

/** Whether the credit for unused time exceeds the new charge of an immediate prorated update. */
function isNegative(world: World, subscription: Subscription, request: Change): boolean {
  const { next, restartsPeriod, changes } = outcome(world, subscription, request)
  if (!changes) return false
  if (restartsPeriod) return unused(world, subscription) > restartsPeriod.cost
  const { credit, charge } = prorate(world, subscription, next, request.anchor)
  return credit > charge
}

function named(world: World, { terms }: Subscription, { plan, price, quantity }: Change): ScheduledUpdate {
  const target = plan === undefined || plan === terms.plan ? undefined : world.plans[plan]
  const snapshot = target && {
    plan: plan ?? 0,
    price: target.price,
    interval: target.interval,
    intervalCount: target.intervalCount,
  }
  return { plan: snapshot ?? null, price: price ?? null, quantity: quantity ?? null, anchor: null, prorate: true }
}

const sameTerms = (a: Terms, b: Terms): boolean =>
  a.plan === b.plan && a.price === b.price && a.quantity === b.quantity && sameCycle(a, b)

/**
 * Merges a request into the scheduled update. Fields that the request omits stay scheduled, but a new plan drops the
 * scheduled price.
 */
function merged({ terms, scheduled }: Subscription, target: ScheduledUpdate, request: Change): ScheduledUpdate {
  const namesPlan = request.plan !== undefined
  const plan = namesPlan ? target.plan : (scheduled?.plan ?? null)
  const keepsCycle = sameCycle(scheduledTerms({ terms, scheduled }), { ...terms, ...plan })
  const anchor = scheduled?.anchor ?? null
  return {
    plan,
    price: target.price ?? (namesPlan ? null : (scheduled?.price ?? null)),
    quantity: target.quantity ?? scheduled?.quantity ?? null,
    anchor: request.resetAnchor ? 'renewal' : (request.anchor ?? (keepsCycle || anchor === 'renewal' ? anchor : null)),
    prorate: request.resetAnchor || request.anchor ? request.prorate : (scheduled?.prorate ?? request.prorate),
  }
}

function hasEffect({ terms, scheduled, anchor, n, renewedUntil }: Subscription): boolean {
  if (!scheduled) return false
  const next = scheduledTerms({ terms, scheduled })
  if (!sameTerms(next, terms)) return true
  if (scheduled.anchor === null || !renewedUntil) return false
  if (cycleFrom(anchor, terms, n + 1).getTime() !== renewedUntil.getTime()) return true
  const ends = Array.from({ length: 13 }, (_, k) => cycleFrom(anchor, terms, n + 1 + k).getTime())
  const from = scheduled.anchor === 'renewal' ? renewedUntil : scheduled.anchor
  let first = 0
  while (cycleFrom(from, terms, first) < renewedUntil) first++
  while (cycleFrom(from, terms, first - 1) >= renewedUntil) first--
  return ends.some((end, k) => cycleFrom(from, terms, first + k).getTime() !== end)
}

export function dropWithoutEffect(subscription: Subscription): void {
  if (!hasEffect(subscription)) subscription.scheduled = null
}

const asked = (world: World, subscription: Subscription, request: Change): Terms =>
  scheduledTerms({ terms: subscription.terms, scheduled: named(world, subscription, request) })

/** Drops the scheduled anchor date, because the billing interval changed or the end of a trial moved. */
function dropAnchorDate(subscription: Subscription): void {
  const { terms, scheduled } = subscription
  if (!(scheduled?.anchor instanceof Date)) return
  subscription.scheduled = { ...scheduled, anchor: null }
  if (sameTerms(scheduledTerms(subscription), terms)) subscription.scheduled = null
}

function scheduleChange(world: World, subscription: Subscription, request: Change): void {
  const { scheduled: before } = subscription
  const update = merged(subscription, named(world, subscription, request), request)
  const scheduled = hasEffect({ ...subscription, scheduled: update }) ? update : null
  if (isSame(before, scheduled)) return
  subscription.scheduled = scheduled
  recordEvent(subscription, 'subscription.update_scheduled')
}

function isSame(a: ScheduledUpdate | null, b: ScheduledUpdate | null): boolean {
  const flat = (update: ScheduledUpdate | null) =>
    JSON.stringify(update && { ...update, prorate: update.anchor === null || update.prorate }, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  return flat(a) === flat(b)
}

function outcome(world: World, subscription: Subscription, request: Change) {
  const { terms } = subscription
  const next = scheduledTerms({ terms, scheduled: named(world, subscription, request) })
  const movesAnchor = request.anchor !== undefined && !sameSchedule(subscription, request.anchor)
  const changes = request.resetAnchor || movesAnchor || !sameTerms(next, terms)
  const isNew = request.resetAnchor || !sameCycle(next, terms)
  const from = world.now
  const restartsPeriod = !isNew
    ? null
    : request.anchor
      ? cutPeriod(request.anchor, -1, from, request.anchor, next, request.prorate)
      : firstPeriod(from, next)
  return { next, changes, restartsPeriod }
}

/** Whether two anchors give the same schedule. An anchor on the last day of a short month does not give the 31st in later months. */
const sameSchedule = ({ anchor, n, terms, renewedUntil }: Subscription, other: Date): boolean =>
  renewedUntil?.getTime() === other.getTime() &&
  Array.from({ length: 13 }).every(
    (_, k) => cycleFrom(other, terms, k).getTime() === cycleFrom(anchor, terms, n + 1 + k).getTime(),
  )

function changeNow(world: World, subscription: Subscription, request: Change): void {
  const { next, changes, restartsPeriod } = outcome(world, subscription, request)
  if (!changes) return
  const { period, trialUntil } = subscription
  const before = snapshotOf(subscription)
  recordEvent(subscription, 'subscription.updated updated_immediately')
  if (trialUntil || !period) {
    subscription.terms = next
    keepRemaining(subscription)
    return
  }
  if (restartsPeriod) {
    const credits = prorations(request.prorate ? [-unused(world, subscription)] : [])
    const parked = subscription.parked.filter(({ amount }) => amount !== 0n)
    const lines = [...credits, restartsPeriod.cost, ...parked.map(({ amount }) => amount)]
    if (credits.length === 0) subscription.paying = []
    const marked = { ...subscription, parked: [] }
    beginPeriod(subscription, restartsPeriod)
    Object.assign(subscription, { terms: next, parked: [] })
    const counted = gone(marked, restartsPeriod, { from: world.now, until: restartsPeriod.end })
    if (subscription.period) subscription.period.paid += credits.length > 0 ? counted : 0n
    keepRemaining(subscription)
    if (lines.reduce((sum, line) => sum + line, 0n) === 0n) return
    const order = bill(world, subscription, lines, { before })
    const { length } = credits
    bills(subscription, order)
    subscription.paying.push({ order, line: length, from: world.now, until: restartsPeriod.end })
    for (const [n, each] of parked.entries())
      if (each.amount > 0n && length > 0) subscription.paying.push({ ...each, order, line: length + 1 + n })
    return
  }
  const { credit, charge } = prorate(world, subscription, next, request.anchor)
  const endBefore = period.end
  subscription.terms = next
  const from = latest(world.now, period.start)
  // `unused` subtracts all refunds of the period from `period.paid`. Refunds before this update do not concern the new
  // amount, so `period.paid` is increased by these refunds here.
  const ahead = { from, until: request.anchor ?? endBefore }
  if (request.prorate) period.paid = amountOf(next) + gone(subscription, { end: ahead.until, full: period.full }, ahead)
  if (request.anchor) {
    // Without proration, the change costs nothing, so the paid amount covers the period until its new end.
    if (!request.prorate)
      period.paid = share(period.paid, seconds(period.start, period.end), seconds(period.start, request.anchor))
    period.end = request.anchor
    Object.assign(subscription, { anchor: request.anchor, n: -1, renewedUntil: request.anchor })
  }
  keepRemaining(subscription)
  if (!request.prorate || credit === charge) return
  if (request.invoiceImmediately) {
    const lines = prorations([-credit, charge])
    const order = bill(world, subscription, lines, { before })
    if (charge !== 0n) subscription.paying.push({ ...ahead, order, line: lines.length - 1 })
  } else {
    const sets = { offer: !sameOffer(before.terms, next), units: before.terms.quantity !== next.quantity }
    const until = period.end
    subscription.parked.push({ amount: -credit, from, until: endBefore, sets }, { amount: charge, from, until, sets })
  }
}

function prorate(world: World, subscription: Subscription, next: Terms, anchor: Date | undefined) {
  const { period } = subscription
  if (!period) return { credit: 0n, charge: 0n }
  const from = latest(world.now, period.start)
  const charge = share(amountOf(next), seconds(from, anchor ?? period.end), period.full)
  return { credit: unused(world, subscription), charge }
}

function unused(world: World, subscription: Subscription): bigint {
  const { period } = subscription
  if (!period) return 0n
  const { start, end, full } = period
  const stands = period.paid - gone(subscription, period)
  const paid = stands > 0n ? stands : 0n
  return share(paid, seconds(latest(world.now, start), end), full)
}

/**
 * Returns the refunded and disputed amount of the current period, converted to a full period. With `next`, counts only
 * the part of this amount that is unused at `next.from`.
 */
function gone(
  { paying, parked, inclusive }: Subscription,
  period: { end: Date; full: bigint },
  next?: { from: Date; until: Date },
): bigint {
  const back = paying.map(({ order, line, from, until }) => {
    const parts = partsOf(order).filter((part) => part.line === line)
    return { from, until, amount: inclusive ? totalOf({ parts }) : netOf({ parts }) }
  })
  const marks = [...parked.filter(({ amount }) => amount > 0n), ...(next ? [next] : [])]
  return fullOf([...back, ...marks.map(({ from, until }) => ({ from, until, amount: 0n }))], period)
}
