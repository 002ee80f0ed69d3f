import { dropWithoutEffect } from './change.ts'
import { writeOff } from './ending.ts'
import { setTimer } from './passing-time.ts'
import { periodsOf, unpaidFrom } from './periods.ts'
import { sumsOf } from './tax.ts'
import {
  amountOf,
  type Charged,
  fullOf,
  type Order,
  recordEvent,
  type ScheduledUpdate,
  type Snapshot,
  type Subscription,
  sameCycle,
  seconds,
  share,
  type Terms,
  type World,
} from './world.ts'

export const sameOffer = (a: Terms, b: Terms): boolean => a.plan === b.plan && a.price === b.price && sameCycle(a, b)

export function snapshotOf(subscription: Subscription): Snapshot {
  const { terms, anchor, n, renewedUntil, period, past, parked, paying, billedBy } = subscription
  return {
    terms,
    anchor,
    n,
    renewedUntil,
    billedBy,
    period: period && { ...period },
    past: past.map((each) => ({ ...each })),
    parked: [...parked],
    paying: [...paying],
  }
}

const setsOffer = ({ before, after }: Charged) => !sameOffer(before.terms, after.terms)
const setsUnits = ({ before, after }: Charged) => before.terms.quantity !== after.terms.quantity
const moves = ({ before, after }: Charged) =>
  Number(before.renewedUntil) !== Number(after.renewedUntil) ||
  Number(before.period?.start) !== Number(after.period?.start) ||
  Number(before.anchor) !== Number(after.anchor)

type WithChange = Order & { change: Charged }
const changesOf = ({ orders }: Subscription): WithChange[] =>
  orders.filter((order): order is WithChange => order.change !== null && order.status !== 'canceled')
const isStopped = ({ status, attempt }: Order) => status === 'pending' && (!attempt || attempt.by === 'helper')
const unitsOf = ({ before, after }: Charged) => after.terms.quantity - before.terms.quantity
const isRestart = ({ before, after }: Charged) =>
  Number(before.period?.start) !== Number(after.period?.start) || before.period?.full !== after.period?.full
const raised = (change: Charged) =>
  isRestart(change) ? 0n : (change.after.period?.paid ?? 0n) - (change.before.period?.paid ?? 0n)
const lower = (amount: bigint, by: bigint) => (amount > by ? amount - by : 0n)

export function cancelOrder(world: World, order: Order): void {
  if (order.recovery) order.recovery.open = false
  order.attempt = null
  writeOff(world, order)
}

/** Undoes the change for which the order was created. Undoes later changes first, unless they are paid or being charged. */
export function undo(world: World, subscription: Subscription, order: Order): void {
  const before = JSON.stringify(shownOf(subscription))
  const scheduledBefore = subscription.scheduled
  const since = subscription.orders.slice(subscription.orders.indexOf(order) + 1)
  const later = changesOf(subscription).filter((each) => since.includes(each))
  const undone = later.filter(isStopped)
  for (const each of undone) cancelOrder(world, each)
  const standing = later.filter((each) => !undone.includes(each))
  for (const each of [order, ...undone].reverse()) {
    const after = standing.filter((one) => subscription.orders.indexOf(one) > subscription.orders.indexOf(each))
    if (each.change) undoOne(world, subscription, each, each.change, after, [order, ...undone])
  }
  const { scheduled } = subscription
  if (JSON.stringify(shownOf(subscription)) !== before || (scheduled === null && scheduledBefore !== null))
    recordEvent(subscription, 'subscription.updated change_reverted')
  if (scheduled !== null && scheduled !== scheduledBefore) recordEvent(subscription, 'subscription.update_scheduled')
  setTimer(world, subscription)
}

const shownOf = ({ terms, renewedUntil }: Subscription) => ({ ...terms, price: String(terms.price), renewedUntil })

function undoOne(
  world: World,
  subscription: Subscription,
  order: Order,
  change: Charged,
  standing: readonly WithChange[],
  undone: readonly Order[],
): void {
  const { orders, status, scheduled } = subscription
  const since = orders.slice(orders.indexOf(order) + 1)
  const renewals = periodsOf(subscription).flatMap(({ start, end, order: each }) =>
    each && start < end && since.includes(each) && !undone.includes(each) && each.status !== 'canceled' ? [each] : [],
  )
  const last = renewals.at(-1)
  const stands = last?.status === 'paid' || last?.hasInvoice || Boolean(last?.attempt)
  const isPaidAhead = (moves(change) && standing.length > 0) || stands
  const terms = termsWithout(subscription, change, standing)
  if (isPaidAhead) {
    if (status !== 'on_grace_period') returnLater(subscription, terms, scheduled)
  } else {
    for (const renewal of renewals) reprice(world, subscription, renewal, { terms, isCycleBack: moves(change) })
    returnNow(world, subscription, change, terms)
  }
  for (const each of standing) rebase(each.change, change)
}

function termsWithout({ terms }: Subscription, change: Charged, standing: readonly WithChange[]): Terms {
  const isOffer = setsOffer(change) && !standing.some((each) => setsOffer(each.change))
  const isOnlyUnits = !standing.some((each) => setsUnits(each.change))
  const rest = Math.max(1, terms.quantity - unitsOf(change))
  const quantity = !isOnlyUnits ? rest : setsUnits(change) ? change.before.terms.quantity : terms.quantity
  return { ...(isOffer ? change.before.terms : terms), quantity }
}

function returnLater(subscription: Subscription, terms: Terms, scheduled: ScheduledUpdate | null): void {
  const isOffer = !sameOffer(subscription.terms, terms)
  const isPlan = subscription.terms.plan !== terms.plan || !sameCycle(subscription.terms, terms)
  const { quantity, ...offer } = terms
  if (!isOffer && quantity === subscription.terms.quantity) return
  subscription.scheduled = {
    plan: scheduled?.plan ?? (isOffer && isPlan ? offer : null),
    price: scheduled?.plan ? scheduled.price : (scheduled?.price ?? (isOffer ? terms.price : null)),
    quantity: scheduled?.quantity ?? (quantity === subscription.terms.quantity ? null : quantity),
    anchor: scheduled?.anchor ?? null,
    prorate: scheduled?.prorate ?? true,
  }
  dropWithoutEffect(subscription)
}

/**
 * Recalculates a pending renewal that was billed on the terms of the undone change. Writes the renewal off if the former
 * billing cycle returns, or if nothing remains to pay. Does nothing if the renewal has an invoice and the billing cycle
 * stays the same.
 */
function reprice(
  world: World,
  subscription: Subscription,
  order: Order,
  { terms, isCycleBack }: { terms: Terms; isCycleBack: boolean },
): void {
  if (order.status !== 'pending' || (order.hasInvoice && !isCycleBack)) return
  const [was, is] = [amountOf(subscription.terms), amountOf(terms)]
  const amounts = order.lines.map(({ subtotal, taxes }) =>
    subscription.inclusive ? subtotal + taxes.reduce((sum, tax) => sum + tax, 0n) : subtotal,
  )
  const [first = 0n, ...others] = amounts
  const repriced = sumsOf([first === was ? is : share(first, is, was), ...others], subscription, order.rates)
  if (isCycleBack || first <= 0n || repriced.total <= 0n) cancelOrder(world, order)
  else Object.assign(order, repriced)
}

function returnNow(world: World, subscription: Subscription, change: Charged, terms: Terms): void {
  const { before } = change
  const { period, parked } = subscription
  const was = subscription.terms
  if (moves(change)) returnToCycle(world, subscription, before)
  else if (period) {
    const isSamePeriod = period.start.getTime() === before.period?.start.getTime()
    const waited = isSamePeriod ? before.parked.length : 0
    const isBack = ({ sets }: Subscription['parked'][number]) =>
      (!sameOffer(was, terms) && sets?.offer) || (was.quantity !== terms.quantity && sets?.units)
    const dropped = parked.filter((line, index) => index >= waited && isBack(line))
    subscription.parked = parked.filter((line) => !dropped.includes(line))
    period.paid = isSamePeriod
      ? lower(period.paid, raised(change) + fullOf(dropped, period))
      : share(period.paid, amountOf(terms), amountOf(was))
  }
  subscription.terms = terms
  if (subscription.scheduled) dropWithoutEffect(subscription)
}

function returnToCycle({ now }: World, subscription: Subscription, before: Snapshot): void {
  const { parked, paying, billedBy, anchor, n, renewedUntil } = before
  const period = before.period && { ...before.period }
  const past = before.past.map((each) => ({ ...each }))
  Object.assign(subscription, { parked: [...parked], paying: [...paying], billedBy, period, past })
  if (subscription.trialUntil) return
  Object.assign(subscription, { anchor, n, renewedUntil })
  const { status } = subscription
  const isPaused = status === 'paused' || (status === 'on_grace_period' && subscription.before === 'paused')
  if (isPaused || !period || !renewedUntil || renewedUntil > now) return
  period.end = now
  subscription.renewedUntil = now
}

function rebase(change: Charged, earlier: Charged): void {
  const without = (snapshot: Snapshot, isBefore: boolean): Snapshot => {
    const isOffer = setsOffer(earlier) && (isBefore || !setsOffer(change))
    const quantity = Math.max(1, snapshot.terms.quantity - unitsOf(earlier))
    const { period } = snapshot
    return {
      ...snapshot,
      terms: { ...(isOffer ? earlier.before.terms : snapshot.terms), quantity },
      period: period && { ...period, paid: lower(period.paid, raised(earlier)) },
    }
  }
  const [before, after] = [without(change.before, true), without(change.after, false)]
  Object.assign(change, { before, after })
}

interface TakenBack {
  readonly removed: readonly WithChange[]
  readonly without: Subscription
}

function left({ before, after }: Charged, terms: Terms): Terms {
  const [least = 1, most = 1] = [before.terms.quantity, after.terms.quantity].sort((a, b) => a - b)
  const offer = sameOffer(before.terms, terms) ? before.terms : after.terms
  return { ...offer, quantity: Math.min(Math.max(terms.quantity, least), most) }
}

function isRemoved(change: Charged, terms: Terms): boolean {
  const rest = { ...change, after: { ...change.after, terms: left(change, terms) } }
  return change.isTakenBack || ((setsOffer(change) || setsUnits(change)) && !setsOffer(rest) && !setsUnits(rest))
}

export function takenBack(world: World, subscription: Subscription, terms: Terms): TakenBack | null {
  const changes = changesOf(subscription)
  const removed = changes.filter((order) => isStopped(order) && isRemoved(order.change, terms))
  if (removed.length === 0) return null
  const without: Subscription = { ...subscription, period: subscription.period && { ...subscription.period } }
  const at = (order: Order) => subscription.orders.indexOf(order)
  const standing = changes.filter((each) => !removed.includes(each))
  const isUndone = (order: WithChange) =>
    Number(order.change.after.period?.start) === Number(subscription.period?.start) &&
    !(moves(order.change) && standing.some((each) => at(each) > at(order)))
  for (const order of removed.filter(isUndone).reverse()) {
    const later = standing.filter((each) => at(each) > at(order))
    returnNow(world, without, order.change, termsWithout(without, order.change, later))
  }
  return { removed, without }
}

export function takeBack(world: World, subscription: Subscription, { removed, without }: TakenBack): void {
  const { terms, anchor, n, renewedUntil, period, past, parked, paying, billedBy, scheduled } = without
  Object.assign(subscription, { terms, anchor, n, renewedUntil, period, past, parked, paying, billedBy, scheduled })
  for (const order of removed) cancelOrder(world, order)
}

export function keepRemaining(subscription: Subscription): void {
  for (const { status, change } of changesOf(subscription)) {
    if (status !== 'pending') continue
    const isTakenBack = isRemoved(change, subscription.terms)
    Object.assign(change, { isTakenBack, after: { ...change.after, terms: left(change, subscription.terms) } })
  }
}

export function cancelRemoved(world: World, subscription: Subscription): void {
  const taken = takenBack(world, subscription, subscription.terms)
  for (const order of taken?.removed ?? []) cancelOrder(world, order)
  keepRemaining(subscription)
}

/** Whether the subscription still has paid time. If its current period is unpaid, the last paid period becomes the current period again. */
export function keepsPaidTime(world: World, subscription: Subscription): boolean {
  const { period } = subscription
  if (!giveUpUnpaidPeriod(world, subscription)) return false
  if (subscription.period === period) return true
  recordEvent(subscription, 'subscription.updated updated_immediately')
  setTimer(world, subscription)
  return true
}

export function giveUpUnpaidPeriod(world: World, subscription: Subscription): boolean {
  const periods = periodsOf(subscription).filter(({ start, end }) => start < end)
  const unpaid = unpaidFrom(subscription)
  const last = periods.findLast(({ start }) => unpaid === null || start < unpaid)
  if (!last || last.end <= world.now) return false
  if (last === subscription.period) return true
  const { start, end, order } = last
  Object.assign(subscription, {
    n: subscription.n - 1,
    renewedUntil: end,
    past: periods.slice(0, periods.indexOf(last)),
    period: { start, end, order, full: seconds(start, end), paid: subscription.period?.paid ?? 0n, isRestored: true },
  })
  return true
}
