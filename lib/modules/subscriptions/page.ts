import type { z } from 'zod'
import type { Interval } from '../../kernel/calendar.ts'
import type { FilteredList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { EmailRow } from '../emails/page.ts'
import type { AdminOrder, PaymentAttempt } from '../orders/page.ts'
import type { SubscriptionShape } from './contract.ts'

/** A subscription of the interface, as pages show it. */
export type AdminSubscription = z.infer<typeof SubscriptionShape>

/** The subscriptions of a storefront and mode. */
export type SubscriptionsPage = FilteredList<AdminSubscription, AdminSubscription['status']> & {
  /** Whose they are; null for those of all customers. */
  readonly customerId: string | null
}

/** What an operator can do with a subscription in its state. */
export type SubscriptionAction = 'cancel' | 'cancelNow' | 'resume' | 'pause' | 'unpause'

/** What an event says of a subscription, as a sentence of the timeline. */
export const timelineEvents = [
  'started',
  'renewed',
  'updated_on_renewal',
  'updated_immediately',
  'paused',
  'update_scheduled',
  'billing_updated',
  'resumed',
  'canceled_immediately',
  'canceled_for_nonpayment',
  'canceled_with_grace_period',
  'cancellation_grace_period_completed',
] as const

/** Something that happened to a subscription: an event of it, an order for it, an attempt to be paid, or an email. */
export type TimelineEntry = { readonly at: string; readonly id: string } & (
  | { readonly kind: 'event'; readonly event: (typeof timelineEvents)[number] }
  | { readonly kind: 'order'; readonly order: AdminOrder }
  | { readonly kind: 'payment'; readonly attempt: PaymentAttempt; readonly orderId: string }
  | { readonly kind: 'email'; readonly email: EmailRow }
)

/** An order of a subscription that is not paid. */
export interface OutstandingOrder {
  readonly orderId: string
  readonly total: Amount
  /** A provider has an attempt to pay it, whose outcome decides. */
  readonly isOnItsWay: boolean
  /** A payment of it has failed, and is followed up. */
  readonly hasFailed: boolean
  /** When it is charged again; null where nothing is scheduled. */
  readonly retryAt: string | null
  /** When it is given up unless it is paid; null while that is open. */
  readonly writtenOffAt: string | null
}

/** Periods that are due by now, and are charged one after the other as soon as what is outstanding is paid, with tax. */
interface WaitingPeriods {
  readonly count: number
  readonly total: Amount
}

/** What a subscription is charged, after what is outstanding. */
export interface NextCharges {
  /** Null where none waits. */
  readonly waiting: WaitingPeriods | null
  /** The next charge after those that wait, with tax; null when none is due. */
  readonly nextCharge: { readonly total: Amount; readonly at: string } | null
  /** Whether a renewal is due of which nothing can be said before the storefront sells again. */
  readonly isHeld: boolean
}

/** What an action comes to, by the rule that does it. */
export interface Stakes {
  /** What is charged at once, with tax; null for nothing. */
  readonly now: Amount | null
  /** What is charged after it. */
  readonly next: NextCharges['nextCharge']
  readonly waiting: NextCharges['waiting']
  readonly isHeld: boolean
  /** The charge that is due without it and is not made with it, with tax; null where there is none. */
  readonly stops: NextCharges['nextCharge']
  readonly stopsWaiting: NextCharges['waiting']
  /** Until when the subscription then runs; null where that is open, or over at once. */
  readonly until: string | null
  /** Whether it is over at once. */
  readonly endsNow: boolean
  /** What waits for the next renewal and is then not charged, with tax; null for nothing. */
  readonly waived: Amount | null
  /** Whether a change that is scheduled is dropped. */
  readonly dropsChange: boolean
  /** What is outstanding and is not collected any more; null for nothing. */
  readonly writtenOff: Amount | null
  /** What is outstanding and of which the outcome of an attempt decides, though the subscription is over; null for nothing. */
  readonly onItsWay: Amount | null
  /** What is outstanding and is collected as before; null for nothing. */
  readonly collected: { readonly total: Amount; readonly retryAt: string | null; readonly until: string | null } | null
}

/** What can be done with a subscription. Each has a form key of its own: one that was done stands in for no other. */
export interface OfferedAction {
  readonly action: SubscriptionAction
  readonly stakes: Stakes
  /** Of the stakes: an act that comes to something else leads back. */
  readonly terms: string
  /** Whether a form led back to it: what it comes to now is shown at once. */
  readonly isOpen: boolean
  readonly formKey: string
}

/** Why no renewal is charged for now; null where it is. */
export type RenewalsWait = 'suspended' | 'onHold' | null

/** One subscription in the admin area. */
export interface SubscriptionPage extends NextCharges {
  readonly subscription: AdminSubscription
  readonly email: string
  readonly renewalsWait: RenewalsWait
  /** Whether there is no payment method that the next charge can be collected with. */
  readonly lacksMethod: boolean
  readonly outstanding: readonly OutstandingOrder[]
  /** Until when it is paid; null before that, and without periods. */
  readonly paidUntil: string | null
  readonly actions: readonly OfferedAction[]
  /** Why a form was not carried out, by field. */
  readonly problems: Readonly<Record<string, string>>
  /** Whether its plan, quantity and price can be changed, and the reader may. */
  readonly mayChange: boolean
  /** Newest first. */
  readonly timeline: readonly TimelineEntry[]
  /** The orders of its customer, where the timeline does not have all; null where it does. */
  readonly moreUrl: string | null
}

/** What is charged for a change, line by line. */
interface ChangeQuote {
  readonly lines: readonly { readonly description: string; readonly subtotal: Amount }[]
  readonly subtotal: Amount
  readonly taxes: readonly {
    readonly taxRate: { readonly name: string; readonly percentage: number }
    readonly amount: Amount
  }[]
  readonly total: Amount
}

/** What a change of a subscription would do, and what is charged after it. */
export interface ChangePreview extends NextCharges {
  /** Whether anything differs from what is. */
  readonly changesAnything: boolean
  /** What is charged at once; null for nothing. */
  readonly now: ChangeQuote | null
  /** What is added to the next renewal; null for nothing. */
  readonly atRenewal: ChangeQuote | null
}

export const changeFields = ['subscriptionPlanId', 'quantity', 'price.value', 'when', 'prorate', 'invoice'] as const
export type ChangeField = (typeof changeFields)[number]

/** A plan to switch to: one of a month and one of a year may have the same name. */
interface PlanChoice {
  readonly id: string
  readonly name: string
  readonly price: Amount
  readonly interval: Interval
  readonly intervalCount: number
}

/** The page on which a change is checked before it is made. */
/** What is wrong with a change where the interface says it in the names of its fields. `least`: what can be charged at least. */
export type ChangeProblem =
  | { readonly code: 'nothingTyped' | 'planGone' | 'paused' | 'canceled' | 'creditExceedsCharge' }
  | { readonly code: 'tooLittle'; readonly least: string }

export interface ChangePage {
  readonly subscription: AdminSubscription
  /** The plans that it can switch to. */
  readonly plans: readonly PlanChoice[]
  readonly values: Readonly<Record<ChangeField, string>>
  readonly renewalsWait: RenewalsWait
  /** What is wrong, by field: a sentence, or what the page has words for in its own terms. */
  readonly problems: Readonly<Record<string, string | ChangeProblem>>
  /** Null before anything was typed, and while something is wrong. */
  readonly preview: ChangePreview | null
  /** Whether the form has to bring a code of the second factor. */
  readonly needsCode: boolean
  /** Of the preview: a change that comes to something else leads back. */
  readonly terms: string
  readonly formKey: string
}
