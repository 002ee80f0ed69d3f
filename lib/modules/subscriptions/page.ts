import type { z } from 'zod'
import type { Interval } from '../../kernel/calendar.ts'
import type { FilteredList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { Named } from '../../kernel/named.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import type { CustomerLinks, EmailRow } from '../emails/page.ts'
import type { AdminOrder, PaymentAttempt } from '../orders/page.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { DeliveryRow } from '../webhooks/page.ts'
import type { SubscriptionShape } from './contract.ts'

export type AdminSubscription = z.infer<typeof SubscriptionShape>

export type AdminSubscriptionRow = AdminSubscription & {
  readonly customer: string
  /** The price times the quantity, per month. */
  readonly monthly: Amount
  readonly createdAt: string
}

export type SubscriptionsPage = FilteredList<AdminSubscriptionRow, AdminSubscription['status']> & {
  readonly customerId: string | null
  /** The customer by whom the list is filtered; null for a list of all customers. */
  readonly customer: Named | null
}

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

export type TimelineEvent = (typeof timelineEvents)[number]

type Every = Pick<AdminSubscription, 'interval' | 'intervalCount'>

export type TermsChange =
  | { readonly field: 'plan'; readonly from: string; readonly to: string }
  | { readonly field: 'quantity'; readonly from: number; readonly to: number }
  | { readonly field: 'price'; readonly from: Amount; readonly to: Amount }
  | { readonly field: 'interval'; readonly from: Every; readonly to: Every }

/**
 * Who caused an event. `schedule` is the service itself. `apiOrPortal`: an older version recorded the event, and did not distinguish an API
 * key from the portal.
 */
export type Cause =
  | { readonly kind: 'member' | 'key'; readonly name: string }
  | { readonly kind: 'formerMember' | 'staff' | 'buyer' | 'schedule' | 'apiOrPortal' }

export type TimelineEntry = { readonly at: string; readonly id: string } & (
  | {
      readonly kind: 'event'
      readonly event: TimelineEvent
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
  readonly isOnItsWay: boolean
  /**
   * Whether the order also sold a one-off product, or another subscription that has not ended. The end of this subscription does not write off such an order.
   */
  readonly isShared: boolean
  readonly hasFailed: boolean
  readonly retryAt: string | null
  readonly writtenOffAt: string | null
}

/** The due periods that are charged one by one after the outstanding order is paid. `total` includes tax. */
interface WaitingPeriods {
  readonly count: number
  readonly total: Amount
}

export interface NextCharges {
  readonly waiting: WaitingPeriods | null
  /**
   * The next charge, with tax, after the charges of all waiting periods. Null if no charge follows, or if its amount is
   * unknown.
   */
  readonly nextCharge: { readonly total: Amount; readonly at: string } | null
  /** Whether a renewal waits because the storefront is suspended. The amount of the renewal is then unknown. */
  readonly isHeld: boolean
}

export interface Stakes {
  /** The immediate charge with tax; null if nothing is charged now. */
  readonly now: Amount | null
  readonly next: NextCharges['nextCharge']
  readonly waiting: NextCharges['waiting']
  readonly isHeld: boolean
  readonly stops: NextCharges['nextCharge']
  readonly stopsWaiting: NextCharges['waiting']
  readonly until: string | null
  readonly endsNow: boolean
  /**
   * The deferred proration amounts, with tax. The action waives these amounts, so the next renewal does not bill them.
   */
  readonly waived: Amount | null
  readonly dropsChange: boolean
  readonly writtenOff: Amount | null
  /** The amount of a payment whose outcome is not known yet. The payment stays payable after the subscription ends. */
  readonly onItsWay: Amount | null
  readonly collected: { readonly total: Amount; readonly retryAt: string | null; readonly until: string | null } | null
}

export interface OfferedAction {
  readonly action: SubscriptionAction
  readonly stakes: Stakes
  /**
   * A fingerprint of the shown effects of the action. If the effects have changed by the time the form is submitted,
   * the form first shows the new effects.
   */
  readonly terms: string
  readonly isOpen: boolean
  readonly formKey: string
}

export type RenewalsWait = 'suspended' | 'onHold' | null

export interface PaymentBehaviorForm {
  readonly chosen: string
  readonly reasons: readonly FailureReason[]
  readonly times: string
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

export interface SubscriptionPage extends NextCharges {
  readonly subscription: AdminSubscription
  readonly email: string
  readonly links: CustomerLinks | null
  readonly deliveries: readonly DeliveryRow[]
  /** Null in live mode, and if the reader's role cannot set outcomes. */
  readonly paymentBehavior: PaymentBehaviorForm | null
  readonly renewalsWait: RenewalsWait
  readonly lacksMethod: boolean
  readonly outstanding: readonly OutstandingOrder[]
  readonly actions: readonly OfferedAction[]
  readonly problems: Readonly<Record<string, string>>
  readonly mayChange: boolean
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

interface PlanChoice {
  readonly id: string
  readonly name: string
  readonly price: Amount
  readonly interval: Interval
  readonly intervalCount: number
}

export type ChangeProblem =
  | { readonly code: 'nothingTyped' | 'planGone' | 'paused' | 'canceled' | 'creditExceedsCharge' }
  | { readonly code: 'tooLittle'; readonly least: Amount }
  | { readonly code: 'refused'; readonly refusal: RefusalCode }

export interface ChangePage {
  readonly subscription: AdminSubscription
  readonly plans: readonly PlanChoice[]
  readonly values: Readonly<Record<ChangeField, string>>
  readonly renewalsWait: RenewalsWait
  readonly problems: Readonly<Record<string, string | ChangeProblem>>
  readonly preview: ChangePreview | null
  readonly needsCode: boolean
  readonly terms: string
  readonly formKey: string
}
