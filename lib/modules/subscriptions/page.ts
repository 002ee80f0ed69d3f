import type { z } from 'zod'
import type { Interval } from '../../kernel/calendar.ts'
import type { FilteredList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { CustomerLinks, EmailRow } from '../emails/page.ts'
import type { AdminOrder, PaymentAttempt } from '../orders/page.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { DeliveryRow } from '../webhooks/page.ts'
import type { SubscriptionShape } from './contract.ts'

/** A subscription as the API returns it. */
export type AdminSubscription = z.infer<typeof SubscriptionShape>

/** A subscription in a list. */
export type AdminSubscriptionRow = AdminSubscription & {
  /** The customer's company, personal name, or email address: the first that is known. */
  readonly customer: string
  /** Price times quantity, per month. */
  readonly monthly: Amount
}

/** The subscriptions of a storefront and mode. */
export type SubscriptionsPage = FilteredList<AdminSubscriptionRow, AdminSubscription['status']> & {
  /** The customer whose subscriptions are listed; null for all customers. */
  readonly customerId: string | null
}

/** The actions of an operator on a subscription. Its state decides which are possible. */
export type SubscriptionAction = 'cancel' | 'cancelNow' | 'resume' | 'pause' | 'unpause'

/** The events of a subscription that the timeline shows, each as a sentence. */
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

/** A term of a subscription with its values before and after a change. */
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
      /** What the event changed; empty if the event before it is not stored any more. */
      readonly changes: readonly TermsChange[]
      /** The end of the period that a renewal began; null for other events. */
      readonly until: string | null
      readonly by: Cause
    }
  | { readonly kind: 'order'; readonly order: AdminOrder }
  | { readonly kind: 'payment'; readonly attempt: PaymentAttempt; readonly orderId: string }
  | { readonly kind: 'email'; readonly email: EmailRow }
)

/** An unpaid order of a subscription. */
export interface OutstandingOrder {
  readonly orderId: string
  readonly total: Amount
  /** Whether the provider has a payment attempt without an outcome. */
  readonly isOnItsWay: boolean
  /** The sale of this subscription and of others, or of products: the end of the subscription does not write the order off. */
  readonly isShared: boolean
  /** Whether a payment has failed and is in recovery. */
  readonly hasFailed: boolean
  /** When the order is charged again; null if no attempt is scheduled. */
  readonly retryAt: string | null
  /** When the order is written off unless it is paid; null while that is unknown. */
  readonly writtenOffAt: string | null
}

/** Periods that are due and wait for the outstanding payment. Then they are charged one after the other, with tax. */
interface WaitingPeriods {
  readonly count: number
  readonly total: Amount
}

/** The charges of a subscription after its outstanding order. */
export interface NextCharges {
  readonly waiting: WaitingPeriods | null
  /** The next charge after the waiting periods, with tax; null if none is due. */
  readonly nextCharge: { readonly total: Amount; readonly at: string } | null
  /** Whether a renewal waits because the storefront is suspended, so that its amount is unknown. */
  readonly isHeld: boolean
}

/** The consequences of an action, computed by the rule that performs it. */
export interface Stakes {
  /** The amount charged at once, with tax; null for none. */
  readonly now: Amount | null
  /** The next charge after the action. */
  readonly next: NextCharges['nextCharge']
  readonly waiting: NextCharges['waiting']
  readonly isHeld: boolean
  /** The charge that the action prevents, with tax; null for none. */
  readonly stops: NextCharges['nextCharge']
  readonly stopsWaiting: NextCharges['waiting']
  /** When the subscription then ends; null if it has no end, or ends at once. */
  readonly until: string | null
  /** Whether the subscription ends at once. */
  readonly endsNow: boolean
  /** Parked amounts that would have been billed with the next renewal and are dropped, with tax; null for none. */
  readonly waived: Amount | null
  /** Whether the action drops a scheduled change. */
  readonly dropsChange: boolean
  /** The outstanding amount that is written off; null for none. */
  readonly writtenOff: Amount | null
  /**
   * The outstanding amount of a payment attempt without an outcome, which stays valid after the end of the
   * subscription; null for none.
   */
  readonly onItsWay: Amount | null
  /** The outstanding amount that is still collected; null for none. */
  readonly collected: { readonly total: Amount; readonly retryAt: string | null; readonly until: string | null } | null
}

/** An action that is possible for a subscription. Each action has its own form key. */
export interface OfferedAction {
  readonly action: SubscriptionAction
  readonly stakes: Stakes
  /** A fingerprint of the stakes. If they have changed, the form shows them again. */
  readonly terms: string
  /** Whether a form returned to this action, so that its stakes are shown at once. */
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
  /** Null in live mode, and for readers who may not use it. */
  readonly paymentBehavior: PaymentBehaviorForm | null
  readonly renewalsWait: RenewalsWait
  /** Whether no payment method can collect the next charge. */
  readonly lacksMethod: boolean
  readonly outstanding: readonly OutstandingOrder[]
  readonly actions: readonly OfferedAction[]
  /** Why a form was refused, by field. */
  readonly problems: Readonly<Record<string, string>>
  /** Whether plan, quantity, and price can be changed, and the reader may do so. */
  readonly mayChange: boolean
  /** Newest first. */
  readonly timeline: readonly TimelineEntry[]
  /** The URL of the customer's orders if the timeline is incomplete; otherwise null. */
  readonly moreUrl: string | null
}

/** The charge for a change, line by line. */
interface ChangeQuote {
  readonly lines: readonly { readonly description: string; readonly subtotal: Amount }[]
  readonly subtotal: Amount
  readonly taxes: readonly {
    readonly taxRate: { readonly name: string; readonly percentage: number }
    readonly amount: Amount
  }[]
  readonly total: Amount
}

/** The consequences of a change, and the charges after it. */
export interface ChangePreview extends NextCharges {
  /** Whether the change differs from the current terms. */
  readonly changesAnything: boolean
  /** The amount charged at once; null for none. */
  readonly now: ChangeQuote | null
  /** The amount added to the next renewal; null for none. */
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

/** The page that previews a change before it is made. */
/**
 * A problem of a change that the page describes in its own words instead of API field names. `least`: the lowest
 * possible charge.
 */
export type ChangeProblem =
  | { readonly code: 'nothingTyped' | 'planGone' | 'paused' | 'canceled' | 'creditExceedsCharge' }
  | { readonly code: 'tooLittle'; readonly least: string }

export interface ChangePage {
  readonly subscription: AdminSubscription
  /** The plans to switch to. */
  readonly plans: readonly PlanChoice[]
  readonly values: Readonly<Record<ChangeField, string>>
  readonly renewalsWait: RenewalsWait
  /** The problems by field: a sentence, or a problem that the page describes in its own words. */
  readonly problems: Readonly<Record<string, string | ChangeProblem>>
  /** Null before the first input, and while the input has a problem. */
  readonly preview: ChangePreview | null
  /** Whether the form needs a code of the second factor. */
  readonly needsCode: boolean
  /** A fingerprint of the preview. If it has changed, the form shows the preview again. */
  readonly terms: string
  readonly formKey: string
}
