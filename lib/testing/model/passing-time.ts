import { postSale } from './ledger.ts'
import { beginPeriod, firstPeriod, type NewPeriod, nextPeriod } from './periods.ts'
import { softReasons, steps } from './recovery-schedule.ts'
import { processQueue, takeTurn } from './refunds.ts'
import { sumsOf } from './tax.ts'
import { cancelRemoved, keepsPaidTime, snapshotOf, undo } from './undo.ts'
import {
  type Attempt,
  fullOf,
  later,
  type Order,
  pays,
  type Recovery,
  recordEvent,
  recordOrderEvent,
  type Sale,
  type Snapshot,
  type Subscription,
  scheduledTerms,
  settlementSeconds,
  type Terms,
  type Turn,
  type World,
} from './world.ts'

/** An event in time: a period ends, a charge gets its outcome, a recovery takes a step, or a refund is sent. */
interface Happening extends Turn {
  readonly happen: () => void
}

/** Everything due happens at its own moment; anything overdue happens now. */
export function passTime(world: World, until: Date): void {
  for (;;) {
    const due = happenings(world).filter(({ at }) => at <= until)
    const [next] = due.sort((a, b) => a.at.getTime() - b.at.getTime() || a.decided - b.decided)
    if (!next) break
    if (next.at > world.now) world.now = next.at
    next.happen()
  }
  world.now = until
}

function happenings(world: World): Happening[] {
  const found: Happening[] = world.sales.map((sale) => ({
    at: sale.settlesAt,
    decided: sale.decided,
    happen: () => {
      world.sales = world.sales.filter((each) => each !== sale)
      completeSale(world, sale)
    },
  }))
  for (const subscription of world.subscriptions) {
    const { timer } = subscription
    if (timer && isAwaited(subscription)) found.push({ ...timer, happen: () => endOfPeriod(world, subscription) })
    for (const order of subscription.orders) {
      const { attempt, recovery } = order
      if (attempt?.dueAt)
        found.push({ at: attempt.dueAt, ...attempt, happen: () => answer(world, subscription, order, attempt) })
      // The schedule waits while the outcome of an attempt is unknown.
      if (recovery?.open && recovery.nextStep && !attempt)
        found.push({ ...recovery.nextStep, happen: () => takeStep(world, subscription, order, recovery) })
    }
  }
  const { queueTurn } = world
  if (queueTurn) found.push({ ...queueTurn, happen: () => processQueue(world) })
  for (const refund of world.refunds)
    if (refund.turn) found.push({ ...refund.turn, happen: () => takeTurn(world, refund) })
  return found
}

/** The order of a change does not hold renewals. */
export const holdsRenewals = (subscription: Subscription): boolean =>
  openRecoveries(subscription).some(({ change }) => change === null)

const openRecoveries = ({ orders }: Subscription): Order[] => orders.filter(({ recovery }) => recovery?.open)

/** No renewals while paused or while a renewal is recovered. A grace period ends even with an outstanding payment. */
const isAwaited = (subscription: Subscription): boolean =>
  subscription.status === 'on_grace_period' ||
  ((subscription.status === 'active' || subscription.status === 'trial') && !holdsRenewals(subscription))

const decide = (world: World) => ++world.decisions

/** A timer that is already set keeps its place. */
export function setTimer(world: World, subscription: Subscription): void {
  const { renewedUntil: at, timer } = subscription
  const stands = timer && at && timer.at.getTime() === at.getTime() && at > world.now
  if (at && !stands) subscription.timer = { at, decided: decide(world) }
}

// ── sale ──

export function completeSale(world: World, { order, started, trialDays, mandate }: Sale): void {
  for (const subscription of started) recordEvent(subscription, 'checkout.paid')
  for (const [index, subscription] of started.entries()) {
    const days = trialDays[index] ?? 0
    Object.assign(subscription, { startedAt: world.now, mandate })
    if (days > 0) beginTrial(subscription, later(world.now, { days }))
    else {
      subscription.status = 'active'
      beginPeriod(subscription, firstPeriod(world.now, subscription.terms))
      subscription.billedBy = order
      pays(subscription, order, trialDays.slice(0, index).filter((each) => !each).length)
    }
    setTimer(world, subscription)
    recordEvent(subscription, 'subscription.started')
  }
  order.status = 'paid'
  recordOrderEvent(order, 'order.paid')
  if (order.total > 0n) take(world, order, 'provider')
}

function take(world: World, order: Order, by: NonNullable<Order['paidTo']>): void {
  order.paidTo = by
  postSale(world, order)
}

/** In a trial everything waits for the trial's end, which is the anchor. */
export function beginTrial(subscription: Subscription, trialUntil: Date): void {
  Object.assign(subscription, { status: 'trial', trialUntil, renewedUntil: trialUntil, anchor: trialUntil, n: -1 })
}

/** Bills one period: applies the scheduled update, moves the period, and charges the order with all its lines. */
export function renew(world: World, subscription: Subscription, { fastForwarded = false } = {}): Order {
  const { renewedUntil, scheduled } = subscription
  if (!renewedUntil) throw new Error('a subscription that never started renews')
  const terms = scheduledTerms(subscription)
  return billPeriod(world, subscription, nextPeriod(subscription, renewedUntil, terms), {
    terms,
    reason: scheduled ? 'updated_on_renewal' : 'renewed',
    fastForwarded,
  })
}

/** A credit or a charge of zero has no line. */
export const prorations = (amounts: readonly bigint[]): bigint[] => amounts.filter((amount) => amount !== 0n)

export function billPeriod(
  world: World,
  subscription: Subscription,
  period: NewPeriod,
  { terms, reason, fastForwarded }: { terms: Terms; reason: string; fastForwarded: boolean },
): Order {
  const parked = prorations(subscription.parked.map(({ amount }) => amount))
  subscription.paidBefore = subscription.period?.start ?? null
  beginPeriod(subscription, period)
  Object.assign(subscription, { terms, status: 'active', renewedAt: world.now, scheduled: null, parked: [] })
  recordEvent(subscription, `subscription.updated ${reason}`)
  const order = bill(world, subscription, [period.cost, ...parked], { fastForwarded })
  Object.assign(subscription, { paying: [], billedBy: order })
  pays(subscription, order, 0)
  setTimer(world, subscription)
  if (reason === 'updated_on_renewal') cancelRemoved(world, subscription)
  return order
}

function endOfPeriod(world: World, subscription: Subscription): void {
  subscription.timer = null
  if (subscription.status !== 'on_grace_period') {
    renew(world, subscription)
    return
  }
  dropScheduledAndParked(subscription)
  writeOffOutstanding(subscription, { lapsed: true })
  Object.assign(subscription, { status: 'canceled', endedAt: world.now, trialUntil: null })
  recordEvent(subscription, 'subscription.cancellation_grace_period_completed')
}

// ── charges ──

export const newOrder = (
  amounts: readonly bigint[],
  of: Pick<Subscription, 'address' | 'inclusive'>,
): Omit<Order, 'isSale' | 'fastForwarded' | 'subscriptions'> => ({
  ...sumsOf(amounts, of),
  status: 'pending',
  paidTo: null,
  attempt: null,
  recovery: null,
  change: null,
  refunds: [],
  chargebacks: [],
})

/** Creates an order and its pending charge. An order over 0.00 is paid at once. */
export function bill(
  world: World,
  subscription: Subscription,
  lines: bigint[],
  { fastForwarded = false, before }: { fastForwarded?: boolean; before?: Snapshot } = {},
): Order {
  const order: Order = {
    ...newOrder(lines, subscription),
    isSale: false,
    fastForwarded,
    subscriptions: [subscription],
    change: before ? { before, after: snapshotOf(subscription), isTakenBack: false } : null,
  }
  subscription.orders.push(order)
  if (order.total === 0n) {
    order.status = 'paid'
    recordOrderEvent(order, 'order.paid')
  } else if (subscription.mandate || fastForwarded) charge(world, subscription, order, { helped: fastForwarded })
  // Nothing was to be charged so far, so there is no payment method and the charge fails at once.
  else failed(world, subscription, order, { reason: 'invalid_mandate', helped: false })
  return order
}

/** Returns false without a method that can be charged now. */
function charge(world: World, { mandate }: Subscription, order: Order, { helped }: { helped: boolean }): boolean {
  if (!mandate || mandate.pending) return false
  const decided = decide(world)
  order.attempt = helped
    ? { mandate, by: 'helper', dueAt: null, decided }
    : { mandate, by: 'provider', dueAt: world.now, decided }
  return true
}

/** The provider declines the charge or accepts it at once. For a direct debit, the bank pays some minutes later. */
function answer(world: World, subscription: Subscription, order: Order, { mandate, by }: Attempt): void {
  if (by === 'provider' && mandate.declines)
    failed(world, subscription, order, { reason: mandate.declines, helped: false })
  else if (by === 'provider' && mandate.method === 'sepa_debit') {
    const dueAt = later(world.now, { seconds: settlementSeconds })
    order.attempt = { mandate, by: 'bank', dueAt, decided: decide(world) }
  } else paid(world, subscription, order)
}

export function paid(world: World, subscription: Subscription, order: Order): void {
  const { attempt } = order
  take(world, order, attempt?.by === 'helper' ? 'helper' : 'provider')
  order.attempt = null
  order.status = 'paid'
  recordOrderEvent(order, 'order.paid')
  if (order.recovery?.open) {
    order.recovery.open = false
    if (!holdsRenewals(subscription)) setTimer(world, subscription)
  }
  // The method works again. Hard declines on this method are charged again at once, or after two days if a notice must
  // come first.
  if (attempt?.by === 'helper' || attempt?.mandate !== subscription.mandate) return
  for (const other of openRecoveries(subscription)) {
    const { recovery } = other
    if (recovery?.kind !== 'hard' || recovery.helped || other.attempt) continue
    if (attempt?.mandate.method !== 'sepa_debit') charge(world, subscription, other, { helped: false })
    else setNextStep(world, Object.assign(recovery, { kind: 'soft' as const, stepsDone: 1 }))
  }
}

// ── recovery ──

/**
 * Emits `order.payment_failed` at the start of a recovery, not per retry. If the subscription is over, the order is
 * written off.
 */
export function failed(
  world: World,
  subscription: Subscription,
  order: Order,
  { reason, helped }: { reason: string; helped: boolean },
): void {
  const charged = order.attempt?.mandate
  order.attempt = null
  if (!order.recovery) recordOrderEvent(order, 'order.payment_failed')
  const isUnwanted = subscription.status === 'canceled' || order.change?.isTakenBack === true
  if (order.recovery ? !order.recovery.open : isUnwanted) {
    writeOff(order)
    return
  }

  const atOnce = () => ({ at: world.now, decided: decide(world) })
  const kind = softReasons.includes(reason) ? 'soft' : 'hard'
  const isReplaced = charged !== undefined && charged !== subscription.mandate
  if (!order.recovery) order.recovery = { kind, helped, open: true, stepsDone: 0, nextStep: atOnce() }
  // A hard decline ends the retries of a soft decline, and its own schedule begins.
  else if (order.recovery.kind === 'soft' && kind === 'hard')
    Object.assign(order.recovery, { kind, stepsDone: 0, nextStep: atOnce() })
  // The schedule's own attempt failed: the next step follows after its days.
  else if (!order.recovery.nextStep && !setNextStep(world, order.recovery)) {
    if (isReplaced) order.recovery.nextStep = atOnce()
    else exhaust(world, subscription, order)
  }
  // A new payment method is charged at once, even if it came while an attempt on the old method was on its way.
  if (isReplaced) charge(world, subscription, order, { helped: false })
}

/** Returns false if no step is left. */
function setNextStep(world: World, recovery: Recovery): boolean {
  const [days] = steps[recovery.kind][recovery.stepsDone] ?? []
  recovery.nextStep = days === undefined ? null : { at: later(world.now, { days }), decided: decide(world) }
  return days !== undefined
}

function takeStep(world: World, subscription: Subscription, order: Order, recovery: Recovery): void {
  const [, does = 'end'] = steps[recovery.kind][recovery.stepsDone] ?? []
  const { helped } = recovery
  recovery.stepsDone++
  recovery.nextStep = null
  if (does === 'end') exhaust(world, subscription, order)
  else if (does === 'email') setNextStep(world, recovery)
  // Without a method that can be charged, the attempt fails at once.
  else if (!charge(world, subscription, order, { helped }))
    failed(world, subscription, order, { reason: 'general_failure', helped })
}

function exhaust(world: World, subscription: Subscription, order: Order): void {
  if (order.recovery) order.recovery.open = false
  writeOff(order)
  if (subscription.status === 'canceled') return
  if (order.change) {
    undo(world, subscription, order)
    return
  }
  if (subscription.status === 'on_grace_period' && keepsPaidTime(world, subscription)) return
  endNow(world, subscription, 'payment_failure')
  writeOffOutstanding(subscription)
  recordEvent(subscription, 'subscription.canceled_for_nonpayment')
}

export function endNow(
  world: World,
  subscription: Subscription,
  cancellationReason: NonNullable<Subscription['cancellationReason']>,
): void {
  const canceledAt = subscription.canceledAt ?? world.now
  dropScheduledAndParked(subscription)
  const ended = { status: 'canceled', trialUntil: null, endedAt: world.now }
  Object.assign(subscription, { ...ended, cancellationReason, canceledAt })
}

/** Drops both at once and for good. Parked amounts counted as paid until now. */
export function dropScheduledAndParked(subscription: Subscription): void {
  const { period, parked } = subscription
  if (period) {
    const paid = period.paid - fullOf(parked, period)
    period.paid = paid > 0n ? paid : 0n
  }
  Object.assign(subscription, { scheduled: null, parked: [] })
}

export function writeOff(order: Order): void {
  order.status = 'canceled'
  recordOrderEvent(order, 'order.canceled')
}

/**
 * The subscription is over. A charge on its way decides by its outcome. A charge that awaits a helper is withdrawn if
 * somebody ended the subscription, and kept if the subscription lapsed.
 */
export function writeOffOutstanding(subscription: Subscription, { lapsed = false } = {}): void {
  for (const order of subscription.orders.filter(({ status, isSale }) => status === 'pending' && !isSale)) {
    if (order.recovery) order.recovery.open = false
    if (order.attempt && (lapsed || order.attempt.by !== 'helper')) continue
    order.attempt = null
    writeOff(order)
  }
}

/** Charges outstanding orders with a new payment method at once, unless the outcome of an attempt is unknown. */
export function collectOutstanding(world: World, subscription: Subscription): void {
  for (const order of subscription.orders.filter(({ status, isSale }) => status === 'pending' && !isSale)) {
    const { attempt, recovery } = order
    if (attempt && (attempt.by !== 'helper' || !recovery)) continue
    // Withdraws a retry that waits for a helper. The next step follows after its days, or at once if it ends the
    // recovery.
    order.attempt = null
    if (recovery && !recovery.nextStep && !setNextStep(world, recovery))
      recovery.nextStep = { at: world.now, decided: decide(world) }
    charge(world, subscription, order, { helped: !recovery && order.fastForwarded })
  }
}
