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
/** The names never change. */
export const detailFields = buyerFields.filter(
  (field): field is DetailField => field !== 'email' && field !== 'currency' && field !== 'paymentMethod',
)
export type BillingUpdateField = DetailField | 'paymentMethod'
/** The names never change. */
export const billingUpdateFields: readonly BillingUpdateField[] = [...detailFields, 'paymentMethod']
/** The values that were typed or prefilled; '' for a missing value. `paymentMethod` is one of `methods`, or `keep`. */
export type BillingUpdateForm = Record<BillingUpdateField, string>

export interface Waiting {
  count: number
  total: Amount
}

export interface BillingUpdateQuote extends DetailsQuote {
  /** With tax; null when none is due. */
  nextCharge: { total: Amount; at: string } | null
  /** Periods that are due by now. They are charged as soon as an outstanding payment is made. */
  waiting: Waiting | null
  /** The outstanding amount including these periods; null if nothing is outstanding. */
  toPay: Amount | null
  /** Whether there is a payment method to keep. */
  canKeep: boolean
  /** The time zone for the day of the next charge; null is UTC. */
  timeZone: string | null
}

interface Common extends HostedPage {
  subscriptionName: string
}

export type BillingUpdatePage = Common &
  (
    | {
        state: 'open'
        /** The seller's creditor identifier, for the mandate of a direct debit. */
        sepaCreditorId: string | null
        /** `maskedIdentifier` is ready to show. */
        mandate: { method: 'card' | 'sepa_debit' | 'paypal' | 'bacs_debit'; maskedIdentifier: string } | null
        methods: PaymentMethod[]
        /** False if no method is stored and nothing is to be charged. */
        needsMethod: boolean
        quote: BillingUpdateQuote
        /** A declined payment that is still outstanding: a new method is charged for it at once. */
        due: { total: Amount; reason: FailureReason } | null
        notice: PaymentNotice | null
        isSaved: boolean
        form: BillingUpdateForm
        problems: Partial<Record<BillingUpdateField, FieldProblem>>
        /** A plain POST, answered with 303. The field `intent` with the value `cancel` leaves without a change. */
        submitUrl: string
        /** Answers GET ?country&taxId with the quote in words. */
        quoteUrl: string
        /** Sent back as the hidden field `version`, so that a repeated submit is recognized. */
        version: string
        /** False in a link from an email: there is no shop page to go back to. */
        canCancel: boolean
      }
    /** After a submit through an email's link. `charged` is set when an outstanding payment was charged with it, and `waiting` if periods follow it. */
    | { state: 'done'; charged: Amount | null; waiting: Waiting | null }
    | { state: 'expired' }
    | { state: 'ended' }
  )
