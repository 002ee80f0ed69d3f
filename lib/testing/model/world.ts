import { cycleStart, type Interval } from '../../kernel/calendar.ts'
import { divideHalfAwayFromZero, formatMoney } from '../../kernel/money.ts'
import type { Account } from './ledger.ts'
import type { Chargeback, Refund } from './reversal.ts'
import type { Line } from './tax.ts'

/**
 * The pure model of a storefront's subscriptions and money: its state, and the API's view of the state. It follows the
 * documentation, not the code of the rules, and shares only the calendar and money arithmetic with them.
 */

export interface World {
  /** The time of the storefront's clock, which stops between commands. */
  now: Date
  readonly plans: Plan[]
  readonly subscriptions: Subscription[]
  sales: (Sale & { readonly settlesAt: Date; readonly decided: number })[]
  readonly refunds: Refund[]
  readonly chargebacks: Chargeback[]
  readonly creditNotes: string[]
  readonly refundEvents: { readonly refund: Refund; readonly name: string }[]
  /** Balances by account; debits are positive. */
  readonly books: Map<Account, bigint>
  /** When refunds that wait for the balance are checked again. */
  queueTurn: Turn | null
  /** The number of decisions. Events due at the same moment happen in the order of their decisions. */
  decisions: number
}

/** The place of an event among the events due at the same moment. */
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

/** A snapshot: it does not change when the plan is changed or archived. */
export interface Terms {
  plan: number
  price: bigint
  quantity: number
  interval: Interval
  intervalCount: number
}

/** The changes at the next renewal. All other terms stay as they are then. */
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
  /** The length of a regular period, neither shortened nor lengthened. */
  full: bigint
  /** The amount that was paid (or parked) for a regular period, in whole cents. */
  paid: bigint
  /** The order that billed the period; null if nothing was billed. */
  order: Order | null
  /** The next period was given up, so the subscription returned to this period. `paid` has the value of the next period. */
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
  /** Whether the change behind a parked line set the offer, the units, or both. */
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
  /** The change was reverted during its charge, so a failure of the charge has no further effect. */
  isTakenBack: boolean
}

export interface Subscription {
  terms: Terms
  readonly inclusive: boolean
  status: 'created' | 'trial' | 'active' | 'on_grace_period' | 'paused' | 'canceled'
  metadata: { readonly note: number } | null
  /** The status before the grace period. */
  before: 'trial' | 'active' | 'paused'
  address: Address
  mandate: Mandate | null
  /** Period n counts from here. Period -1 is a trial, or a shortened period that ends here. */
  anchor: Date
  n: number
  period: Period | null
  /** The periods before the current period, oldest first. */
  past: readonly Period[]
  trialUntil: Date | null
  renewedUntil: Date | null
  renewedAt: Date | null
  startedAt: Date | null
  canceledAt: Date | null
  endedAt: Date | null
  cancellationReason: 'merchant_request' | 'customer_request' | 'payment_failure' | null
  scheduled: ScheduledUpdate | null
  /** Proration lines that wait for the next renewal. */
  parked: Timed[]
  /** The lines that paid for the current period, also lines of the previous period that a credit included. */
  paying: Paying[]
  billedBy: Order | null
  /** The next renewal or the end of the grace period, with its position in the order of decisions. */
  timer: Turn | null
  readonly orders: Order[]
  readonly events: string[]
}

/** A charge with an unknown outcome. An attempt by a helper waits for a simulation and is never due. */
export interface Attempt {
  /** Null if the buyer pays on the checkout page. */
  readonly mandate: Mandate | null
  readonly by: 'provider' | 'bank' | 'helper'
  readonly dueAt: Date | null
  readonly decided: number
}

export interface Recovery {
  /** Recoveries of a subscription in the order of their first failure. A recovery that begins again keeps its number. */
  readonly number: number
  readonly startedAt: Date
  kind: 'soft' | 'hard'
  failureReason: string
  lastFailure: { readonly reason: string; readonly at: Date }
  /** A helper began the recovery, so its retries wait for a simulation. */
  readonly helped: boolean
  open: boolean
  stepsDone: number
  /** Null while the retry of a step is on its way. */
  nextStep: Turn | null
}

export interface Order {
  readonly subtotal: bigint
  readonly total: bigint
  readonly taxes: readonly bigint[]
  /** In thousandths of a percent. */
  readonly rates: readonly bigint[]
  readonly lines: readonly Line[]
  readonly country: Address['country']
  status: 'pending' | 'paid' | 'canceled'
  /** Who took the money; a helper takes it from nobody. Null before a payment, and for an order over 0.00. */
  paidTo: 'provider' | 'helper' | null
  /** The payment method of the latest payment; null for a payment on a page. */
  paidWith: Mandate | null
  /** The money was debited from a bank account, so the bank can return it. */
  isDebit: boolean
  /** The order was paid before: its invoice stays valid. */
  hasInvoice: boolean
  creditNote: string | null
  /** The payment methods on which a sale that is owed again was charged. */
  readonly tried: Mandate[]
  /** The first sale, which no helper changes. */
  readonly isSale: boolean
  readonly fastForwarded: boolean
  attempt: Attempt | null
  recovery: Recovery | null
  /** The change that the order charged; null for a sale or a renewal. */
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

/** Each order once: a sale may have started several subscriptions. */
export const ordersOf = ({ subscriptions }: World): Order[] => [
  ...new Set(subscriptions.flatMap(({ orders }) => orders)),
]

/** The test provider settles direct debits after 10 to 15 minutes. The test fixes this delay. */
export const settlementSeconds = 754

// ── the calendar ──

export type Cycle = Pick<Terms, 'interval' | 'intervalCount'>

export const cycleFrom = (anchor: Date, { interval, intervalCount }: Cycle, n: number): Date =>
  cycleStart(anchor, interval, intervalCount, n)

export const sameCycle = (a: Cycle, b: Cycle): boolean =>
  a.interval === b.interval && a.intervalCount === b.intervalCount

/** Zero if the time ends before it begins. */
export const seconds = (from: Date, until: Date): bigint =>
  until <= from ? 0n : BigInt((until.getTime() - from.getTime()) / 1000)

export const later = (moment: Date, amount: { days?: number; seconds?: number }): Date =>
  new Date(moment.getTime() + (amount.days ?? 0) * 86_400_000 + (amount.seconds ?? 0) * 1000)

export const latest = (a: Date, b: Date): Date => (a > b ? a : b)

// ── money ──

/** `amount x part / whole`, half away from zero. */
export const share = (amount: bigint, part: bigint, whole: bigint): bigint =>
  whole === 0n ? 0n : divideHalfAwayFromZero(amount * part, whole)

export function pays({ period, paying }: Subscription, order: Order, line: number): void {
  if (period) paying.push({ order, line, from: period.start, until: period.end })
}

const fine = 1_000_000_000_000n

/**
 * Adds up amounts for times within a period, converted to a full period. When the next time starts, the unused rest of
 * the earlier amount moves to the next time. The last amount lasts until the period's end.
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

export function scheduledTerms({ terms, scheduled }: Pick<Subscription, 'terms' | 'scheduled'>): Terms {
  if (!scheduled) return terms
  const plan = { ...terms, ...scheduled.plan }
  return { ...plan, price: scheduled.price ?? plan.price, quantity: scheduled.quantity ?? terms.quantity }
}

const runs = ({ status }: Subscription) => status === 'active' || status === 'trial'

// ── the API’s view ──

export const wire = (moment: Date | null): string | null => moment?.toISOString().replace('.000Z', 'Z') ?? null
export const money = (minor: bigint): string => formatMoney({ minor, currency: 'EUR' })

const termsView = ({ plan, price, quantity, interval, intervalCount }: Terms) => ({
  plan,
  basePrice: money(price),
  quantity,
  interval,
  intervalCount,
})

/** The subscription as GET /v1/subscriptions/:id returns it, but with the plan's number and without currencies. */
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
