import { dropScheduledAndParked, endForNonpayment, endNow, writeOff, writeOffOutstanding } from './ending.ts'
import { postPaidAgain, postSale } from './ledger.ts'
import { chargeOnNewMethod, failSale, paySale, takeSaleStep } from './owed-sale.ts'
import { beginPeriod, bills, firstPeriod, type NewPeriod, nextPeriod, unpaidFrom } from './periods.ts'
import { softReasons, steps } from './recovery-schedule.ts'
import { processQueue, takeTurn } from './refunds.ts'
import { sumsOf } from './tax.ts'
import { cancelRemoved, keepsPaidTime, snapshotOf, undo } from './undo.ts'
import {
  type Attempt,
  later,
  type Mandate,
  type Order,
  ordersOf,
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

interface Happening extends Turn {
  readonly happen: () => void
}

/** Advances the clock to `until`. Each event happens at its due time, or immediately if it is overdue. */
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
  }
  for (const order of ordersOf(world)) {
    const { attempt, recovery, isSale } = order
    const [subscription] = order.subscriptions
    if (!subscription) continue
    if (attempt?.dueAt)
      found.push({ at: attempt.dueAt, ...attempt, happen: () => answer(world, subscription, order, attempt) })
    if (!recovery?.open || !recovery.nextStep) continue
    if (isSale) found.push({ ...recovery.nextStep, happen: () => takeSaleStep(world, order, recovery) })
    // The schedule waits while the outcome of an attempt is unknown.
    else if (!attempt)
      found.push({ ...recovery.nextStep, happen: () => takeStep(world, subscription, order, recovery) })
  }
  const { queueTurn } = world
  if (queueTurn) found.push({ ...queueTurn, happen: () => processQueue(world) })
  for (const refund of world.refunds)
    if (refund.turn) found.push({ ...refund.turn, happen: () => takeTurn(world, refund) })
  return found
}

/** Whether a recovery delays the renewals. The recovery of an order that charged a change does not delay renewals. */
export const holdsRenewals = (subscription: Subscription): boolean =>
  openRecoveries(subscription).some(({ change }) => change === null)

const openRecoveries = ({ orders }: Subscription): Order[] => orders.filter(({ recovery }) => recovery?.open)

/**
 * Whether the current period ends with a renewal or with the end of a grace period. False for a paused subscription,
 * and, outside a grace period, while a renewal is in recovery.
 */
const isAwaited = (subscription: Subscription): boolean =>
  subscription.status === 'on_grace_period' ||
  ((subscription.status === 'active' || subscription.status === 'trial') && !holdsRenewals(subscription))

const decide = (world: World) => ++world.decisions

export function setTimer(world: World, subscription: Subscription): void {
  const { renewedUntil: at, timer } = subscription
  const stands = timer && at && timer.at.getTime() === at.getTime() && at > world.now
  if (at && !stands) subscription.timer = { at, decided: decide(world) }
}

export function completeSale(world: World, { order, started, trialDays, mandate, isDebit }: Sale): void {
  for (const subscription of started) recordEvent(subscription, 'checkout.paid')
  for (const [index, subscription] of started.entries()) {
    const days = trialDays[index] ?? 0
    Object.assign(subscription, { startedAt: world.now, mandate })
    if (days > 0) beginTrial(subscription, later(world.now, { days }))
    else {
      subscription.status = 'active'
      beginPeriod(subscription, firstPeriod(world.now, subscription.terms))
      bills(subscription, order)
      pays(subscription, order, trialDays.slice(0, index).filter((each) => !each).length)
    }
    setTimer(world, subscription)
    recordEvent(subscription, 'subscription.started')
  }
  Object.assign(order, { status: 'paid', isDebit })
  recordOrderEvent(order, 'order.paid')
  if (order.total > 0n) take(world, order, 'provider')
}

export function take(world: World, order: Order, by: NonNullable<Order['paidTo']>): void {
  order.paidTo = by
  if (order.hasInvoice) postPaidAgain(world, order)
  else postSale(world, order)
  order.hasInvoice = true
}

export function beginTrial(subscription: Subscription, trialUntil: Date): void {
  Object.assign(subscription, { status: 'trial', trialUntil, renewedUntil: trialUntil, anchor: trialUntil, n: -1 })
}

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

export const prorations = (amounts: readonly bigint[]): bigint[] => amounts.filter((amount) => amount !== 0n)

export function billPeriod(
  world: World,
  subscription: Subscription,
  period: NewPeriod,
  { terms, reason, fastForwarded }: { terms: Terms; reason: string; fastForwarded: boolean },
): Order {
  const parked = prorations(subscription.parked.map(({ amount }) => amount))
  beginPeriod(subscription, period)
  Object.assign(subscription, { terms, status: 'active', renewedAt: world.now, scheduled: null, parked: [] })
  recordEvent(subscription, `subscription.updated ${reason}`)
  const order = bill(world, subscription, [period.cost, ...parked], { fastForwarded })
  subscription.paying = []
  bills(subscription, order)
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
  Object.assign(subscription, { status: 'canceled', endedAt: world.now, trialUntil: null })
  writeOffOutstanding(world, subscription, { lapsed: true })
  recordEvent(subscription, 'subscription.cancellation_grace_period_completed')
}

export const newOrder = (
  amounts: readonly bigint[],
  of: Pick<Subscription, 'address' | 'inclusive'>,
): Omit<Order, 'isSale' | 'fastForwarded' | 'subscriptions'> => ({
  ...sumsOf(amounts, of),
  country: of.address.country,
  status: 'pending',
  paidTo: null,
  paidWith: null,
  isDebit: false,
  hasInvoice: false,
  creditNote: null,
  tried: [],
  attempt: null,
  recovery: null,
  change: null,
  refunds: [],
  chargebacks: [],
})

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
  // Without a payment method, the charge fails immediately.
  else failed(world, subscription, order, { reason: 'invalid_mandate', helped: false })
  return order
}

export function charge(
  world: World,
  { mandate }: Subscription,
  order: Order,
  { helped }: { helped: boolean },
): boolean {
  if (!mandate || mandate.pending) return false
  const decided = decide(world)
  order.attempt = helped
    ? { mandate, by: 'helper', dueAt: null, decided }
    : { mandate, by: 'provider', dueAt: world.now, decided }
  return true
}

function answer(world: World, subscription: Subscription, order: Order, { mandate, by }: Attempt): void {
  if (by === 'provider' && mandate?.declines) {
    if (order.isSale) failSale(world, order, mandate.declines)
    else failed(world, subscription, order, { reason: mandate.declines, helped: false })
  } else if (by === 'provider' && mandate?.method === 'sepa_debit') {
    const dueAt = later(world.now, { seconds: settlementSeconds })
    order.attempt = { mandate, by: 'bank', dueAt, decided: decide(world) }
  } else if (order.isSale) paySale(world, order)
  else paid(world, subscription, order)
}

export function paid(world: World, subscription: Subscription, order: Order): void {
  const { attempt } = order
  take(world, order, attempt?.by === 'helper' ? 'helper' : 'provider')
  Object.assign(order, { attempt: null, paidWith: attempt?.mandate ?? null, isDebit: attempt?.by === 'bank' })
  order.status = 'paid'
  recordOrderEvent(order, 'order.paid')
  if (order.recovery?.open) {
    order.recovery.open = false
    if (!holdsRenewals(subscription)) setTimer(world, subscription)
  }
  // A paid charge shows that the payment method works again. So orders with a hard decline on this method are charged
  // immediately, or after two days if a notice must be sent first.
  if (attempt?.by === 'helper' || attempt?.mandate !== subscription.mandate) return
  for (const other of openRecoveries(subscription)) {
    const { recovery } = other
    if (recovery?.kind !== 'hard' || recovery.helped || other.isSale || other.attempt) continue
    if (attempt.mandate?.method !== 'sepa_debit') charge(world, subscription, other, { helped: false })
    else setNextStep(world, Object.assign(recovery, { kind: 'soft' as const, stepsDone: 1 }))
  }
}

interface Failure {
  readonly reason: string
  readonly helped: boolean
  /** Set if the bank returned the money after the payment. `mandate` is the charged mandate. */
  readonly returned?: { readonly mandate: Mandate | null }
}

export function failed(world: World, subscription: Subscription, order: Order, failure: Failure): void {
  const { helped, returned } = failure
  const charged = returned ? returned.mandate : order.attempt?.mandate
  const begins = !order.recovery || returned !== undefined
  order.attempt = null
  if (begins) recordOrderEvent(order, 'order.payment_failed')
  const isTaken = charged && subscription.mandate === null
  const isEnding = isTaken && subscription.status === 'on_grace_period'
  const isUnwanted = subscription.status === 'canceled' || order.change?.isTakenBack === true
  if (isEnding || (begins ? isUnwanted : !order.recovery?.open)) {
    if (order.recovery) order.recovery.open = false
    writeOff(world, order)
    if (isEnding) endWithoutPaidTime(world, subscription)
    return
  }

  const atOnce = () => ({ at: world.now, decided: decide(world) })
  // Without a payment method, a retry cannot succeed, so a soft decline counts as the hard decline `mandate_canceled`.
  const reason = isTaken && softReasons.includes(failure.reason) ? 'mandate_canceled' : failure.reason
  const kind = softReasons.includes(reason) ? 'soft' : 'hard'
  const isReplaced = charged && subscription.mandate !== null && charged !== subscription.mandate
  const lastFailure = { reason, at: world.now }
  if (!order.recovery || begins)
    order.recovery = beganAt(world, order, { kind, helped, lastFailure, failureReason: reason, nextStep: atOnce() })
  // A hard decline ends the retries of a soft decline, and the schedule for hard declines starts.
  else if (order.recovery.kind === 'soft' && kind === 'hard')
    Object.assign(order.recovery, { kind, lastFailure, failureReason: reason, stepsDone: 0, nextStep: atOnce() })
  // The failed attempt was a step of the schedule. The next step follows after the number of days in the schedule.
  else if (!order.recovery.nextStep && !setNextStep(world, order.recovery)) {
    if (isReplaced) order.recovery.nextStep = atOnce()
    else exhaust(world, subscription, order)
  } else order.recovery.lastFailure = lastFailure
  // A new payment method is charged immediately, even if the buyer chose it while an attempt on the old method was
  // pending.
  if (isReplaced) charge(world, subscription, order, { helped: false })
}

export const beganAt = (
  world: World,
  { recovery }: Order,
  begun: Pick<Recovery, 'kind' | 'helped' | 'lastFailure' | 'failureReason' | 'nextStep'>,
): Recovery => ({ ...begun, number: recovery?.number ?? decide(world), startedAt: world.now, open: true, stepsDone: 0 })

function endWithoutPaidTime(world: World, subscription: Subscription): void {
  const unpaid = unpaidFrom(subscription)
  if (unpaid === null) return
  if (unpaid > world.now) {
    keepsPaidTime(world, subscription)
    return
  }
  endNow(world, subscription, subscription.cancellationReason ?? 'payment_failure')
  recordEvent(subscription, 'subscription.canceled_immediately')
}

export function setNextStep(world: World, recovery: Recovery): boolean {
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
  // If no method can be charged, the attempt fails immediately.
  else if (!charge(world, subscription, order, { helped }))
    failed(world, subscription, order, { reason: reasonWithout(subscription, recovery), helped })
}

const reasonWithout = ({ mandate }: Subscription, { kind, failureReason }: Recovery): string =>
  mandate === null && kind === 'soft' ? 'mandate_canceled' : failureReason

function exhaust(world: World, subscription: Subscription, order: Order): void {
  if (order.recovery) order.recovery.open = false
  writeOff(world, order)
  if (subscription.status === 'canceled') return
  if (order.change) {
    undo(world, subscription, order)
    return
  }
  if (subscription.status === 'on_grace_period' && keepsPaidTime(world, subscription)) return
  endForNonpayment(world, subscription)
}

/** Charges outstanding orders on a new payment method, unless the outcome of an attempt is unknown. */
export function collectOutstanding(world: World, subscription: Subscription): void {
  for (const order of subscription.orders.filter(({ status, isSale }) => status === 'pending' && !isSale)) {
    const { attempt, recovery } = order
    if (attempt && (attempt.by !== 'helper' || !recovery)) continue
    // After a withdrawn attempt, the recovery continues with its next scheduled step. If no step is left, the end of the recovery is due now.
    order.attempt = null
    if (recovery && !recovery.nextStep && !setNextStep(world, recovery))
      recovery.nextStep = { at: world.now, decided: decide(world) }
    charge(world, subscription, order, { helped: !recovery && order.fastForwarded })
  }
  for (const order of subscription.orders) if (order.isSale) chargeOnNewMethod(world, order, [subscription])
}
