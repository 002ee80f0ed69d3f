import { cycleStart, type Interval } from '../../kernel/calendar.ts'
import { divideHalfAwayFromZero, formatMoney } from '../../kernel/money.ts'
import type { Account } from './ledger.ts'
import type { Chargeback, Refund } from './reversal.ts'
import type { Line } from './tax.ts'

/**
 * The pure model of a storefront's subscriptions and money: its state, and the API's view of it. Written from the
 * documentation and not from the rules, with which it shares only the calendar and the arithmetic of money.
 */

export interface World {
  /** The moment on the storefront's clock, which stands still between two commands. */
  now: Date
  readonly plans: Plan[]
  readonly subscriptions: Subscription[]
  /** Sales of buyers who paid by a method that takes its time. */
  sales: (Sale & { readonly settlesAt: Date; readonly decided: number })[]
  readonly refunds: Refund[]
  readonly chargebacks: Chargeback[]
  /** Numbers of credit notes, in the order of their creation. */
  readonly creditNotes: string[]
  /** The events of refunds, in order. */
  readonly refundEvents: { readonly refund: Refund; readonly name: string }[]
  /** Debit positive. */
  readonly books: Map<Account, bigint>
  /** When refunds that wait for the balance are checked again. */
  queueTurn: Turn | null
  /** The number of decisions: what is due at the same moment happens in the order in which it was decided. */
  decisions: number
}

/** The place of an event among those that are due at the same moment. */
export interface Turn {
  readonly at: Date
  readonly decided: number
}

export interface Sale {
  readonly order: Order
  readonly started: readonly Subscription[]
  /** Of each subscription, counted from the payment. */
  readonly trialDays: readonly number[]
  readonly mandate: Mandate | null
}

export interface Plan {
  readonly name: string
  price: bigint
  readonly interval: Interval
  readonly intervalCount: number
  readonly inclusive: boolean
  archived: boolean
}

/** A snapshot: it does not change when the plan is changed or archived. */
export interface Terms {
  /** The number of the plan. */
  plan: number
  price: bigint
  quantity: number
  interval: Interval
  intervalCount: number
}

/** The changes of the next renewal; all other terms stay as they are then. */
export interface ScheduledUpdate {
  plan: Omit<Terms, 'quantity'> | null
  price: bigint | null
  quantity: number | null
  anchor: Date | 'renewal' | null
  prorate: boolean
}

interface Period {
  start: Date
  end: Date
  /** The length of a period that is neither shortened nor lengthened. */
  full: bigint
  /** The amount that was actually paid (or parked) for a full one, in whole cents. */
  paid: bigint
}

export interface Mandate {
  readonly method: 'card' | 'paypal' | 'sepa_debit'
  /** It cannot be charged yet. */
  pending: boolean
  /** The test provider declines it, for this reason. */
  declines: string | null
}

export interface Address {
  readonly country: 'DE' | 'NL' | 'FR' | 'CA'
  readonly taxId: string
}

/** A line of an order, by its number, that paid for a time. */
interface Paying {
  readonly order: Order
  readonly line: number
  readonly from: Date
  readonly until: Date
}

/** An amount for a time. */
export interface Timed {
  readonly amount: bigint
  readonly from: Date
  readonly until: Date
  /** Which terms the change behind a parked line set. */
  readonly sets?: { readonly offer: boolean; readonly units: boolean }
}

/** What a change replaces, or what it leads to. */
export interface Snapshot {
  readonly terms: Terms
  readonly anchor: Date
  readonly n: number
  readonly renewedUntil: Date | null
  readonly period: Period | null
  readonly parked: Timed[]
  readonly paying: Paying[]
  readonly billedBy: Order | null
}

/** A change that an order charged at once. */
export interface Charged {
  before: Snapshot
  after: Snapshot
  /** While its charge was on its way: nothing is collected if that fails. */
  isTakenBack: boolean
}

export interface Subscription {
  terms: Terms
  readonly inclusive: boolean
  status: 'created' | 'trial' | 'active' | 'on_grace_period' | 'paused' | 'canceled'
  /** Its status before its grace period. */
  before: 'trial' | 'active' | 'paused'
  address: Address
  mandate: Mandate | null
  /** Period n is counted from here; -1 is the time before: a trial, or a period that was shortened to end here. */
  anchor: Date
  n: number
  period: Period | null
  trialUntil: Date | null
  renewedUntil: Date | null
  renewedAt: Date | null
  startedAt: Date | null
  canceledAt: Date | null
  endedAt: Date | null
  cancellationReason: 'merchant_request' | 'payment_failure' | null
  scheduled: ScheduledUpdate | null
  /** Lines of prorations that wait for the next renewal. */
  parked: Timed[]
  /** The lines that paid for its period: also those of a period before, which a credit took into account. */
  paying: Paying[]
  /** When the period before began. */
  paidBefore: Date | null
  /** The order that billed its period. */
  billedBy: Order | null
  /** When its renewal (or the end of its grace period) was decided. */
  timer: Turn | null
  readonly orders: Order[]
  /** Of the subscription and its orders, in order. */
  readonly events: string[]
}

/** A charge with an unknown outcome. A helper's waits to be simulated: it is never due. */
export interface Attempt {
  readonly mandate: Mandate
  readonly by: 'provider' | 'bank' | 'helper'
  readonly dueAt: Date | null
  readonly decided: number
}

export interface Recovery {
  kind: 'soft' | 'hard'
  /** A helper began it: its retries wait to be simulated. */
  readonly helped: boolean
  open: boolean
  stepsDone: number
  /** Null while the retry of a step is on its way. */
  nextStep: Turn | null
}

export interface Order {
  readonly subtotal: bigint
  readonly total: bigint
  /** By the rates. */
  readonly taxes: readonly bigint[]
  /** In thousandths of a percent. */
  readonly rates: readonly bigint[]
  readonly lines: readonly Line[]
  status: 'pending' | 'paid' | 'canceled'
  /** Who took the money; a helper takes it from nobody. Null before a payment, and for an order over nothing. */
  paidTo: 'provider' | 'helper' | null
  /** The first sale, which no helper changes. */
  readonly isSale: boolean
  readonly fastForwarded: boolean
  attempt: Attempt | null
  recovery: Recovery | null
  /** The change that it charged; null for a sale and a renewal. */
  change: Charged | null
  readonly refunds: Refund[]
  readonly chargebacks: Chargeback[]
  /** The subscriptions that get the order's events. */
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

/** Each once: a sale may have begun several subscriptions. */
export const ordersOf = ({ subscriptions }: World): Order[] => [
  ...new Set(subscriptions.flatMap(({ orders }) => orders)),
]

/** Direct debits of the test provider settle after 10 to 15 minutes; the test makes it this long each time. */
export const settlementSeconds = 754

// ── the calendar ──

export type Cycle = Pick<Terms, 'interval' | 'intervalCount'>

export const cycleFrom = (anchor: Date, { interval, intervalCount }: Cycle, n: number): Date =>
  cycleStart(anchor, interval, intervalCount, n)

export const sameCycle = (a: Cycle, b: Cycle): boolean =>
  a.interval === b.interval && a.intervalCount === b.intervalCount

/** Zero when it ends before it begins. */
export const seconds = (from: Date, until: Date): bigint =>
  until <= from ? 0n : BigInt((until.getTime() - from.getTime()) / 1000)

export const later = (moment: Date, amount: { days?: number; seconds?: number }): Date =>
  new Date(moment.getTime() + (amount.days ?? 0) * 86_400_000 + (amount.seconds ?? 0) * 1000)

export const latest = (a: Date, b: Date): Date => (a > b ? a : b)

// ── money ──

/** `amount x part / whole`, half away from zero. */
export const share = (amount: bigint, part: bigint, whole: bigint): bigint =>
  whole === 0n ? 0n : divideHalfAwayFromZero(amount * part, whole)

/** A line of an order pays for the period in progress. */
export function pays({ period, paying }: Subscription, order: Order, line: number): void {
  if (period) paying.push({ order, line, from: period.start, until: period.end })
}

const fine = 1_000_000_000_000n

/**
 * Amounts for times within a period, converted to a full one. What is left of one when the next begins continues over the time
 * of that; the last lasts until the end.
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

// ── what happens to a subscription ──

export const recordEvent = (subscription: Subscription, event: string): void => void subscription.events.push(event)

export function recordOrderEvent({ subscriptions }: Order, event: string): void {
  for (const subscription of subscriptions) recordEvent(subscription, event)
}

/** The terms once the scheduled update is applied. */
export function scheduledTerms({ terms, scheduled }: Pick<Subscription, 'terms' | 'scheduled'>): Terms {
  if (!scheduled) return terms
  const plan = { ...terms, ...scheduled.plan }
  return { ...plan, price: scheduled.price ?? plan.price, quantity: scheduled.quantity ?? terms.quantity }
}

const runs = ({ status }: Subscription) => status === 'active' || status === 'trial'

// ── the API’s view ──

const wire = (moment: Date | null): string | null => moment?.toISOString().replace('.000Z', 'Z') ?? null
export const money = (minor: bigint): string => formatMoney({ minor, currency: 'EUR' })

const termsView = ({ plan, price, quantity, interval, intervalCount }: Terms) => ({
  plan,
  basePrice: money(price),
  quantity,
  interval,
  intervalCount,
})

/** The plan by its number, amounts without their currency; otherwise as GET /v1/subscriptions/:id returns it. */
export function viewOf(subscription: Subscription) {
  const nextRenewalAt = runs(subscription) ? wire(subscription.renewedUntil) : null
  return {
    ...termsView(subscription.terms),
    status: subscription.status,
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
