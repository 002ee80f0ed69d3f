import type { Amount } from '../../kernel/money.ts'
import {
  type BuyerField,
  buyerFields,
  type DetailsQuote,
  type FieldProblem,
  type HostedPage,
  type PaymentNotice,
} from '../checkouts/page.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { PaymentMethod } from '../payments/rules/method.ts'

export type DetailField = Exclude<BuyerField, 'email' | 'currency' | 'paymentMethod'>
/** Drafts store these field names, so the names never change. */
export const detailFields = buyerFields.filter(
  (field): field is DetailField => field !== 'email' && field !== 'currency' && field !== 'paymentMethod',
)
export type BillingUpdateField = DetailField | 'paymentMethod'
export const billingUpdateFields: readonly BillingUpdateField[] = [...detailFields, 'paymentMethod']
/** The entered or prefilled values; '' for an empty field. `paymentMethod` is one of `methods`, or `keep` for the stored method. */
export type BillingUpdateForm = Record<BillingUpdateField, string>

export interface Waiting {
  count: number
  total: Amount
}

export interface BillingUpdateQuote extends DetailsQuote {
  nextCharge: { total: Amount; at: string } | null
  /** The billing periods that are due but not charged yet; null if no period is due. Each period is charged after the outstanding payment. */
  waiting: Waiting | null
  /** The outstanding amount including the billing periods in `waiting`; null if nothing is outstanding. */
  toPay: Amount | null
  canKeep: boolean
  timeZone: string | null
}

interface Common extends HostedPage {
  subscriptionName: string
}

export type BillingUpdatePage = Common &
  (
    | {
        state: 'open'
        sepaCreditorId: string | null
        mandate: { method: 'card' | 'sepa_debit' | 'paypal' | 'bacs_debit'; maskedIdentifier: string } | null
        methods: PaymentMethod[]
        /**
         * Whether the form requires a payment method: the subscription has a method, an amount is outstanding, or the
         * next renewal charges an amount.
         */
        needsMethod: boolean
        quote: BillingUpdateQuote
        /**
         * `due` is the failed payment that is outstanding; null if no payment is outstanding. If the buyer adds a
         * payment method, `due` is charged immediately.
         */
        due: { total: Amount; reason: FailureReason } | null
        notice: PaymentNotice | null
        isSaved: boolean
        form: BillingUpdateForm
        problems: Partial<Record<BillingUpdateField, FieldProblem>>
        /**
         * The page posts the form to `submitUrl`, which responds with 303. With `intent=cancel`, the buyer leaves
         * without a change.
         */
        submitUrl: string
        quoteUrl: string
        /** The form sends this value back in the hidden field `version`, so that a repeated submit is recognized. */
        version: string
        /** `canCancel` is false for a link from an email, because such a link has no shop page to return to. */
        canCancel: boolean
      }
    /**
     * The page that is shown after the buyer submits the form of an email link. `charged` is the outstanding payment that was charged. The `waiting` periods
     * are charged next.
     */
    | { state: 'done'; charged: Amount | null; waiting: Waiting | null }
    | { state: 'expired' }
    | { state: 'ended' }
  )
