import { cycleStart, type Interval } from '../../kernel/calendar.ts'
import { divideHalfAwayFromZero, formatMoney } from '../../kernel/money.ts'
import type { Account } from './ledger.ts'
import type { Chargeback, Refund } from './reversal.ts'
import type { Line } from './tax.ts'

/**
 * A pure model of a storefront's subscriptions and money. The model implements the documented behavior without the
 * production code. The model and the production code share only the calendar and money arithmetic.
 */

export interface World {
  now: Date
  readonly plans: Plan[]
  readonly subscriptions: Subscription[]
  sales: (Sale & { readonly settlesAt: Date; readonly decided: number })[]
  readonly refunds: Refund[]
  readonly chargebacks: Chargeback[]
  readonly creditNotes: string[]
  readonly refundEvents: { readonly refund: Refund; readonly name: string }[]
  /** Balances by account, in cents. Debits are positive. */
  readonly books: Map<Account, bigint>
  queueTurn: Turn | null
  /**
   * Counts the scheduled events. Events that are due at the same time happen in the order in which they were scheduled.
   */
  decisions: number
}

export interface Turn {
  readonly at: Date
  readonly decided: number
}

export interface Sale {
  readonly order: Order
  readonly started: readonly Subscription[]
  readonly trialDays: readonly number[]
  readonly mandate: Mandate | null
  readonly isDebit: boolean
}

export interface Plan {
  readonly name: string
  price: bigint
  readonly interval: Interval
  readonly intervalCount: number
  readonly inclusive: boolean
  archived: boolean
}

export interface Terms {
  plan: number
  price: bigint
  quantity: number
  interval: Interval
  intervalCount: number
}

/** The changes at the next renewal. Terms without a change keep the values that they have at that time. */
export interface ScheduledUpdate {
  plan: Omit<Terms, 'quantity'> | null
  price: bigint | null
  quantity: number | null
  anchor: Date | 'renewal' | null
  prorate: boolean
}

export interface Period {
  start: Date
  end: Date
  full: bigint
  /** The paid (or deferred) amount in whole cents, converted to the full length of the period (`full`). */
  paid: bigint
  order: Order | null
  /**
   * True if the following period was dropped because it is unpaid, so that this period is current again. `paid` then
   * has the value of the dropped period.
   */
  isRestored?: boolean
}

export interface Mandate {
  readonly method: 'card' | 'paypal' | 'sepa_debit'
  pending: boolean
  declines: string | null
  readonly madeAt: Date
}

export interface Address {
  readonly country: 'DE' | 'NL' | 'FR' | 'CA'
  readonly taxId: string
}

interface Paying {
  readonly order: Order
  readonly line: number
  readonly from: Date
  readonly until: Date
}

export interface Timed {
  readonly amount: bigint
  readonly from: Date
  readonly until: Date
  /** Whether the change that caused the deferred line set the plan and price (`offer`), the quantity (`units`), or both. */
  readonly sets?: { readonly offer: boolean; readonly units: boolean }
}

export interface Snapshot {
  readonly terms: Terms
  readonly anchor: Date
  readonly n: number
  readonly renewedUntil: Date | null
  readonly period: Period | null
  readonly past: readonly Period[]
  readonly parked: Timed[]
  readonly paying: Paying[]
  readonly billedBy: Order | null
}

export interface Charged {
  before: Snapshot
  after: Snapshot
  isTakenBack: boolean
}

export interface Subscription {
  terms: Terms
  readonly inclusive: boolean
  status: 'created' | 'trial' | 'active' | 'on_grace_period' | 'paused' | 'canceled'
  metadata: { readonly note: number } | null
  before: 'trial' | 'active' | 'paused'
  address: Address
  mandate: Mandate | null
  /** The start of period 0. Period -1, which is a trial or a shortened period, ends at this time. */
  anchor: Date
  n: number
  period: Period | null
  past: readonly Period[]
  trialUntil: Date | null
  renewedUntil: Date | null
  renewedAt: Date | null
  startedAt: Date | null
  canceledAt: Date | null
  endedAt: Date | null
  cancellationReason: 'merchant_request' | 'customer_request' | 'payment_failure' | null
  scheduled: ScheduledUpdate | null
  parked: Timed[]
  /** The lines that paid for the current period. If a credit included lines of the previous period, these lines are listed too. */
  paying: Paying[]
  billedBy: Order | null
  timer: Turn | null
  readonly orders: Order[]
  readonly events: string[]
}

/** A charge with an unknown outcome. An attempt by a test helper has no due time, because it waits for a call of `simulate-payment`. */
export interface Attempt {
  readonly mandate: Mandate | null
  readonly by: 'provider' | 'bank' | 'helper'
  readonly dueAt: Date | null
  readonly decided: number
}

export interface Recovery {
  /** The position among the recoveries of a subscription, in the order of their first failures. A restarted recovery keeps its number. */
  readonly number: number
  readonly startedAt: Date
  kind: 'soft' | 'hard'
  failureReason: string
  lastFailure: { readonly reason: string; readonly at: Date }
  readonly helped: boolean
  open: boolean
  stepsDone: number
  nextStep: Turn | null
}

export interface Order {
  readonly subtotal: bigint
  readonly total: bigint
  readonly taxes: readonly bigint[]
  readonly rates: readonly bigint[]
  readonly lines: readonly Line[]
  readonly country: Address['country']
  status: 'pending' | 'paid' | 'canceled'
  /** Who took the payment: the provider, or a test helper, which takes no real money. Null before a payment, and for an order of 0.00. */
  paidTo: 'provider' | 'helper' | null
  /** The mandate of the latest payment. Null for a payment on a page. */
  paidWith: Mandate | null
  isDebit: boolean
  hasInvoice: boolean
  creditNote: string | null
  readonly tried: Mandate[]
  readonly isSale: boolean
  readonly fastForwarded: boolean
  attempt: Attempt | null
  recovery: Recovery | null
  /** The change for which the order was created. Null for a sale or a renewal. */
  change: Charged | null
  readonly refunds: Refund[]
  readonly chargebacks: Chargeback[]
  readonly subscriptions: readonly Subscription[]
}

export const newWorld = (now: Date, plans: Plan[]): World => ({
  now,
  plans,
  subscriptions: [],
  sales: [],
  refunds: [],
  chargebacks: [],
  creditNotes: [],
  refundEvents: [],
  books: new Map(),
  queueTurn: null,
  decisions: 0,
})

export const ordersOf = ({ subscriptions }: World): Order[] => [
  ...new Set(subscriptions.flatMap(({ orders }) => orders)),
]

/**
 * The delay, in seconds, after which the test provider settles a direct debit in the model tests. Otherwise, the delay
 * is random, from 10 to 15 minutes.
 */
export const settlementSeconds = 754

export type Cycle = Pick<Terms, 'interval' | 'intervalCount'>

export const cycleFrom = (anchor: Date, { interval, intervalCount }: Cycle, n: number): Date =>
  cycleStart(anchor, interval, intervalCount, n)

export const sameCycle = (a: Cycle, b: Cycle): boolean =>
  a.interval === b.interval && a.intervalCount === b.intervalCount

export const seconds = (from: Date, until: Date): bigint =>
  until <= from ? 0n : BigInt((until.getTime() - from.getTime()) / 1000)

export const later = (moment: Date, amount: { days?: number; seconds?: number }): Date =>
  new Date(moment.getTime() + (amount.days ?? 0) * 86_400_000 + (amount.seconds ?? 0) * 1000)

export const latest = (a: Date, b: Date): Date => (a > b ? a : b)

export const share = (amount: bigint, part: bigint, whole: bigint): bigint =>
  whole === 0n ? 0n : divideHalfAwayFromZero(amount * part, whole)

export function pays({ period, paying }: Subscription, order: Order, line: number): void {
  if (period) paying.push({ order, line, from: period.start, until: period.end })
}

const fine = 1_000_000_000_000n

/**
 * Combines amounts that start at different times of a period: each amount is increased by the unused part of the
 * amounts before it. Returns the final sum, which lasts until `end`, converted to a full period.
 */
export function fullOf(amounts: readonly Timed[], { end, full }: { end: Date; full: bigint }): bigint {
  const times = [...amounts].sort((a, b) => Number(a.from) - Number(b.from))
  const [first, ...others] = times
  if (!first) return 0n
  let held = { ...first, amount: first.amount * fine }
  for (const next of others) {
    const left = share(held.amount, seconds(next.from, held.until), seconds(held.from, held.until))
    held = { ...next, amount: left + next.amount * fine }
  }
  return share(held.amount, full, fine * seconds(held.from, end))
}

export const amountOf = ({ price, quantity }: Pick<Terms, 'price' | 'quantity'>): bigint => price * BigInt(quantity)

export const recordEvent = (subscription: Subscription, event: string): void => void subscription.events.push(event)

export function recordOrderEvent({ subscriptions }: Order, event: string): void {
  for (const subscription of subscriptions) recordEvent(subscription, event)
}

export function scheduledTerms({ terms, scheduled }: Pick<Subscription, 'terms' | 'scheduled'>): Terms {
  if (!scheduled) return terms
  const plan = { ...terms, ...scheduled.plan }
  return { ...plan, price: scheduled.price ?? plan.price, quantity: scheduled.quantity ?? terms.quantity }
}

const runs = ({ status }: Subscription) => status === 'active' || status === 'trial'

export const wire = (moment: Date | null): string | null => moment?.toISOString().replace('.000Z', 'Z') ?? null
export const money = (minor: bigint): string => formatMoney({ minor, currency: 'EUR' })

const termsView = ({ plan, price, quantity, interval, intervalCount }: Terms) => ({
  plan,
  basePrice: money(price),
  quantity,
  interval,
  intervalCount,
})

/** The subscription as GET /v1/subscriptions/:id returns it, but with the number of the plan and without currencies. */
export function viewOf(subscription: Subscription) {
  const nextRenewalAt = runs(subscription) ? wire(subscription.renewedUntil) : null
  return {
    ...termsView(subscription.terms),
    status: subscription.status,
    metadata: subscription.metadata,
    cancellationReason: subscription.cancellationReason,
    mandate: subscription.mandate?.method ?? null,
    country: subscription.address.country,
    startedAt: wire(subscription.startedAt),
    endedAt: wire(subscription.endedAt),
    canceledAt: wire(subscription.canceledAt),
    renewedAt: wire(subscription.renewedAt),
    renewedUntil: wire(subscription.renewedUntil),
    nextRenewalAt,
    trialUntil: wire(subscription.trialUntil),
    scheduledUpdate: subscription.scheduled && {
      ...termsView(scheduledTerms(subscription)),
      effectiveAt: nextRenewalAt,
    },
  }
}

export type View = ReturnType<typeof viewOf>
