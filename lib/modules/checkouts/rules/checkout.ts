import type { BillingInterval } from '../../../kernel/calendar.ts'
import type { Locale } from '../../../kernel/locale.ts'
import type { ProductType } from '../../catalog/rules/product.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import type { BuyerField, BuyerForm, FieldProblem } from '../page.ts'
import { type CheckoutStatus, checkoutStates } from './state.ts'

/** A snapshot of a product, taken when the checkout was created. */
export interface CheckoutLine {
  readonly id: string
  readonly productId: string
  readonly name: string
  readonly description: string
  /** EUR cents, with or without tax according to the checkout's taxBehavior. */
  readonly unitPrice: bigint
  readonly quantity: number
  readonly productType: ProductType
  readonly billingInterval: BillingInterval | null
  /** Days without charge, counted from the payment; null or 0 means no trial. */
  readonly trialDays: number | null
  readonly metadata: string | null
}

export interface Draft {
  readonly form: BuyerForm
  readonly problems: Partial<Record<BuyerField, FieldProblem>>
  readonly totalChanged: boolean
  /** The buyer asked to begin before the right of withdrawal ends. */
  readonly beginsAtOnce?: boolean
  /** Of the browser (IANA); null if it did not say. */
  readonly timeZone?: string | null
  /** The country that the buyer confirmed, and when (ISO 8601). */
  readonly confirmed?: { readonly country: string; readonly at: string } | null
}

export interface Checkout {
  readonly id: string
  readonly testmode: boolean
  readonly status: CheckoutStatus
  readonly customerId: string | null
  readonly taxBehavior: 'exclusive' | 'inclusive'
  /** Null: the buyer stays on the page of the checkout. Only checkouts of payment links allow null. */
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

/** The timer that expires the checkout may run a moment late. */
export const isOpen = (checkout: Checkout, now: Date): boolean =>
  !checkoutStates.isFinal(checkout.status) && now < checkout.expiresAt

export const isTrial = (line: CheckoutLine): boolean => line.billingInterval !== null && (line.trialDays ?? 0) > 0

export const sellsSubscription = (checkout: Checkout): boolean =>
  checkout.lines.some((line) => line.billingInterval !== null)
