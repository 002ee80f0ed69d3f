import { cycleStart, type Interval } from '../../kernel/calendar.ts'
import { divideHalfAwayFromZero, formatMoney } from '../../kernel/money.ts'
import type { Account } from './books.ts'
import type { Chargeback, Refund } from './reversal.ts'
import type { Line } from './tax.ts'

/**
 * The pure model of a storefront's subscriptions and of its money: what it consists of and what the interface shows of it. Written
 * from the documents and not from the rules, with which it shares the calendar and the arithmetic of money and nothing else.
 */

export interface World {
  /** The moment on the storefront's clock, which stands still between two commands. */
  now: Date
  readonly plans: Plan[]
  readonly subscriptions: Subscription[]
  /** Sales whose buyer has paid by a method that takes its time. */
  sales: (Sale & { readonly settlesAt: Date; readonly decided: number })[]
  readonly refunds: Refund[]
  readonly chargebacks: Chargeback[]
  /** Numbers of credit notes, in the order in which they were made. */
  readonly creditNotes: string[]
  /** What the refunds were told of, in order. */
  readonly refundEvents: { readonly refund: Refund; readonly name: string }[]
  /** Debit positive. */
  readonly books: Map<Account, bigint>
  /** When those that wait for the balance are looked at again. */
  queueTurn: Turn | null
  /** How many things were decided: what is due at the same moment happens in the order in which it was decided. */
  decisions: number
}

/** What is due at a moment has its turn among what is due then. */
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

/** A snapshot: a plan that changes or is archived does not reach it. */
export interface Terms {
  /** The number of the plan. */
  plan: number
  price: bigint
  quantity: number
  interval: Interval
  intervalCount: number
}

/** What the next renewal takes over; what is not named stays as it is then. */
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
  /** The length of a period that is neither cut nor stretched. */
  full: bigint
  /** At what a full one was really paid (or parked), in whole cents. */
  paid: bigint
}

export interface Mandate {
  readonly method: 'card' | 'paypal' | 'sepa_debit'
  /** Nothing can be charged on it yet. */
  pending: boolean
  /** The test provider declines it, for this reason. */
  declines: string | null
}

export interface Address {
  readonly country: 'DE' | 'NL' | 'FR' | 'CA'
  readonly taxId: string
}

export interface Subscription {
  terms: Terms
  readonly inclusive: boolean
  status: 'created' | 'trial' | 'active' | 'on_grace_period' | 'paused' | 'canceled'
  /** What it was before its grace period. */
  before: 'trial' | 'active' | 'paused'
  address: Address
  mandate: Mandate | null
  /** Period n is counted from here; -1 is what comes before: a trial, or a period that was cut to end here. */
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
  parked: { readonly amount: bigint; readonly from: Date }[]
  /** When its renewal (or the end of its grace) was decided. */
  timer: Turn | null
  readonly orders: Order[]
  /** Of the subscription and its orders, in order. */
  readonly events: string[]
}

/** A charge whose outcome is not known. A helper's waits to be simulated: it is never due. */
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
  /** Null while the retry of a step is under way. */
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
  /** Who took the money: a helper took it from nobody. Null while there is none, and of an order over nothing. */
  paidTo: 'provider' | 'helper' | null
  /** The first sale, which no helper touches. */
  readonly isSale: boolean
  readonly fastForwarded: boolean
  attempt: Attempt | null
  recovery: Recovery | null
  readonly refunds: Refund[]
  readonly chargebacks: Chargeback[]
  /** Whose events tell of it. */
  readonly subscriptions: readonly Subscription[]
}

export const newWorld = (now: Date, plans: Plan[]): World => ({
  ...{ now, plans, subscriptions: [], sales: [], refunds: [], chargebacks: [], creditNotes: [], refundEvents: [] },
  ...{ books: new Map(), queueTurn: null, decisions: 0 },
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

/** None when it ends before it begins. */
export const seconds = (from: Date, until: Date): bigint =>
  until <= from ? 0n : BigInt((until.getTime() - from.getTime()) / 1000)

export const later = (moment: Date, amount: { days?: number; seconds?: number }): Date =>
  new Date(moment.getTime() + (amount.days ?? 0) * 86_400_000 + (amount.seconds ?? 0) * 1000)

export const latest = (a: Date, b: Date): Date => (a > b ? a : b)

// ── money ──

/** `amount x part / whole`, half away from zero. */
export const share = (amount: bigint, part: bigint, whole: bigint): bigint =>
  whole === 0n ? 0n : divideHalfAwayFromZero(amount * part, whole)

export const amountOf = ({ price, quantity }: Pick<Terms, 'price' | 'quantity'>): bigint => price * BigInt(quantity)

// ── what happens to a subscription ──

export const recordEvent = (subscription: Subscription, event: string): void => void subscription.events.push(event)

export function recordOrderEvent({ subscriptions }: Order, event: string): void {
  for (const subscription of subscriptions) recordEvent(subscription, event)
}

/** What will hold once the scheduled update is applied. */
export function scheduledTerms({ terms, scheduled }: Pick<Subscription, 'terms' | 'scheduled'>): Terms {
  if (!scheduled) return terms
  const plan = { ...terms, ...scheduled.plan }
  return { ...plan, price: scheduled.price ?? plan.price, quantity: scheduled.quantity ?? terms.quantity }
}

const runs = ({ status }: Subscription) => status === 'active' || status === 'trial'

// ── what the interface shows ──

const wire = (moment: Date | null): string | null => moment?.toISOString().replace('.000Z', 'Z') ?? null
export const money = (minor: bigint): string => formatMoney({ minor, currency: 'EUR' })

const termsView = ({ plan, price, quantity, interval, intervalCount }: Terms) => ({
  plan,
  basePrice: money(price),
  quantity,
  interval,
  intervalCount,
})

/** The plan by its number, amounts without their currency; else as GET /v1/subscriptions/:id says it. */
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
