import type { BillingInterval } from '../../../kernel/calendar.ts'
import type { Locale } from '../../../kernel/locale.ts'
import type { ProductType } from '../../catalog/rules/product.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import type { BuyerField, BuyerForm, FieldProblem } from '../page.ts'
import { type CheckoutStatus, checkoutStates } from './state.ts'

/** A line of a checkout. Its product data is a copy from the time when the checkout was created. */
export interface CheckoutLine {
  readonly id: string
  readonly productId: string
  readonly name: string
  readonly description: string
  /** The price in EUR cents, with or without tax according to the checkout's `taxBehavior`. */
  readonly unitPrice: bigint
  readonly quantity: number
  readonly productType: ProductType
  readonly billingInterval: BillingInterval | null
  /** The number of days without charge after the payment. Null or 0 means no trial. */
  readonly trialDays: number | null
  readonly metadata: string | null
}

export interface Draft {
  readonly form: BuyerForm
  readonly problems: Partial<Record<BuyerField, FieldProblem>>
  readonly totalChanged: boolean
  /** Whether the buyer requested a start of the service before the end of the withdrawal period. */
  readonly beginsAtOnce?: boolean
  /** The IANA time zone of the browser; null if the browser sent none. */
  readonly timeZone?: string | null
  /** The country that the buyer confirmed, and the time of the confirmation (ISO 8601). */
  readonly confirmed?: { readonly country: string; readonly at: string } | null
}

export interface Checkout {
  readonly id: string
  readonly testmode: boolean
  readonly status: CheckoutStatus
  readonly customerId: string | null
  readonly taxBehavior: 'exclusive' | 'inclusive'
  /** Null if the buyer stays on the checkout page. Only checkouts of payment links allow null. */
  readonly redirectUrlSuccess: string | null
  readonly redirectUrlCanceled: string
  readonly metadata: string | null
  readonly locale: Locale | null
  readonly paymentLinkId: string | null
  readonly billingAddress: Partial<BillingDetails>
  readonly draft: Draft | null
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly lines: readonly CheckoutLine[]
}

/** Checks the expiry time in addition to the status, because the task that expires the checkout can run late. */
export const isOpen = (checkout: Checkout, now: Date): boolean =>
  !checkoutStates.isFinal(checkout.status) && now < checkout.expiresAt

export const isTrial = (line: CheckoutLine): boolean => line.billingInterval !== null && (line.trialDays ?? 0) > 0

export const sellsSubscription = (checkout: Checkout): boolean =>
  checkout.lines.some((line) => line.billingInterval !== null)
