import type { z } from 'zod'
import type { Interval } from '../../kernel/calendar.ts'
import type { FilteredList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { CustomerLinks, EmailRow } from '../emails/page.ts'
import type { AdminOrder, PaymentAttempt } from '../orders/page.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { DeliveryRow } from '../webhooks/page.ts'
import type { SubscriptionShape } from './contract.ts'

export type AdminSubscription = z.infer<typeof SubscriptionShape>

export type AdminSubscriptionRow = AdminSubscription & {
  /** The customer's company, personal name, or email address: the first that is known. */
  readonly customer: string
  /** Price times quantity, per month. */
  readonly monthly: Amount
}

export type SubscriptionsPage = FilteredList<AdminSubscriptionRow, AdminSubscription['status']> & {
  readonly customerId: string | null
}

/** The subscription's state decides which actions are possible. */
export type SubscriptionAction = 'cancel' | 'cancelNow' | 'resume' | 'pause' | 'unpause'

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

type Every = Pick<AdminSubscription, 'interval' | 'intervalCount'>

export type TermsChange =
  | { readonly field: 'plan'; readonly from: string; readonly to: string }
  | { readonly field: 'quantity'; readonly from: number; readonly to: number }
  | { readonly field: 'price'; readonly from: Amount; readonly to: Amount }
  | { readonly field: 'interval'; readonly from: Every; readonly to: Every }

/** Who caused an event: a member by address, the service's own staff, the buyer, the schedule, or an API key or the portal. */
export type Cause =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'staff' | 'buyer' | 'schedule' | 'apiOrPortal' }

/** An entry of a subscription's timeline: an event, an order, a payment attempt, or an email. */
export type TimelineEntry = { readonly at: string; readonly id: string } & (
  | {
      readonly kind: 'event'
      readonly event: (typeof timelineEvents)[number]
      /** Empty if the event before is not stored any more. */
      readonly changes: readonly TermsChange[]
      readonly until: string | null
      readonly by: Cause
    }
  | { readonly kind: 'order'; readonly order: AdminOrder }
  | { readonly kind: 'payment'; readonly attempt: PaymentAttempt; readonly orderId: string }
  | { readonly kind: 'email'; readonly email: EmailRow }
)

export interface OutstandingOrder {
  readonly orderId: string
  readonly total: Amount
  /** Whether the provider has a payment attempt without an outcome. */
  readonly isOnItsWay: boolean
  /** Other subscriptions or products share the sale: the end of this subscription does not write off the order. */
  readonly isShared: boolean
  readonly hasFailed: boolean
  readonly retryAt: string | null
  /** Null while unknown. */
  readonly writtenOffAt: string | null
}

/** With tax. The periods wait for the outstanding payment and are then charged one after the other. */
interface WaitingPeriods {
  readonly count: number
  readonly total: Amount
}

export interface NextCharges {
  readonly waiting: WaitingPeriods | null
  /** The next charge after the waiting periods, with tax; null if none is due. */
  readonly nextCharge: { readonly total: Amount; readonly at: string } | null
  /** Whether a renewal waits because the storefront is suspended, so that its amount is unknown. */
  readonly isHeld: boolean
}

/** Computed by the rule that performs the action. */
export interface Stakes {
  /** With tax; null for no charge. */
  readonly now: Amount | null
  readonly next: NextCharges['nextCharge']
  readonly waiting: NextCharges['waiting']
  readonly isHeld: boolean
  readonly stops: NextCharges['nextCharge']
  readonly stopsWaiting: NextCharges['waiting']
  readonly until: string | null
  readonly endsNow: boolean
  /** Parked amounts that are dropped instead of billed with the next renewal, with tax. */
  readonly waived: Amount | null
  readonly dropsChange: boolean
  readonly writtenOff: Amount | null
  /** The outstanding amount of an attempt without an outcome, which stays valid after the end of the subscription. */
  readonly onItsWay: Amount | null
  readonly collected: { readonly total: Amount; readonly retryAt: string | null; readonly until: string | null } | null
}

export interface OfferedAction {
  readonly action: SubscriptionAction
  readonly stakes: Stakes
  /** If this fingerprint of the stakes has changed, the form shows them again. */
  readonly terms: string
  readonly isOpen: boolean
  readonly formKey: string
}

/** Why renewals are not charged now; null if they are. */
export type RenewalsWait = 'suspended' | 'onHold' | null

/** The form that sets the outcome of the coming payments, in test mode. */
export interface PaymentBehaviorForm {
  /** `paid`, or the reason of declines. */
  readonly chosen: string
  readonly reasons: readonly FailureReason[]
  /** The typed number of declines. */
  readonly times: string
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

/** One subscription in the admin area. */
export interface SubscriptionPage extends NextCharges {
  readonly subscription: AdminSubscription
  readonly email: string
  readonly links: CustomerLinks | null
  /** The newest deliveries of its events. Empty if the reader may not see deliveries. */
  readonly deliveries: readonly DeliveryRow[]
  /** Null in live mode, and for readers without the permission. */
  readonly paymentBehavior: PaymentBehaviorForm | null
  readonly renewalsWait: RenewalsWait
  /** Whether no payment method can collect the next charge. */
  readonly lacksMethod: boolean
  readonly outstanding: readonly OutstandingOrder[]
  readonly actions: readonly OfferedAction[]
  readonly problems: Readonly<Record<string, string>>
  readonly mayChange: boolean
  /** Newest first. */
  readonly timeline: readonly TimelineEntry[]
  readonly moreUrl: string | null
}

interface ChangeQuote {
  readonly lines: readonly { readonly description: string; readonly subtotal: Amount }[]
  readonly subtotal: Amount
  readonly taxes: readonly {
    readonly taxRate: { readonly name: string; readonly percentage: number }
    readonly amount: Amount
  }[]
  readonly total: Amount
}

export interface ChangePreview extends NextCharges {
  readonly changesAnything: boolean
  readonly now: ChangeQuote | null
  readonly atRenewal: ChangeQuote | null
}

export const changeFields = ['subscriptionPlanId', 'quantity', 'price.value', 'when', 'prorate', 'invoice'] as const
export type ChangeField = (typeof changeFields)[number]

/** A plan to switch to. A monthly and a yearly plan may have the same name. */
interface PlanChoice {
  readonly id: string
  readonly name: string
  readonly price: Amount
  readonly interval: Interval
  readonly intervalCount: number
}

/** The page describes these problems in its own words. `least`: the lowest possible charge. */
export type ChangeProblem =
  | { readonly code: 'nothingTyped' | 'planGone' | 'paused' | 'canceled' | 'creditExceedsCharge' }
  | { readonly code: 'tooLittle'; readonly least: string }

export interface ChangePage {
  readonly subscription: AdminSubscription
  readonly plans: readonly PlanChoice[]
  readonly values: Readonly<Record<ChangeField, string>>
  readonly renewalsWait: RenewalsWait
  readonly problems: Readonly<Record<string, string | ChangeProblem>>
  /** Null before the first input, and while the input has a problem. */
  readonly preview: ChangePreview | null
  readonly needsCode: boolean
  /** If this fingerprint of the preview has changed, the form shows it again. */
  readonly terms: string
  readonly formKey: string
}
