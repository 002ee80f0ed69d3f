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

/**
 * The input and output of the hosted billing-update page, on which a buyer changes the billing details and the payment
 * method.
 */

export type DetailField = Exclude<BuyerField, 'email' | 'currency' | 'paymentMethod'>
/** The fields of the buyer's details on an invoice, named as on the checkout. They never change. */
export const detailFields = buyerFields.filter(
  (field): field is DetailField => field !== 'email' && field !== 'currency' && field !== 'paymentMethod',
)
export type BillingUpdateField = DetailField | 'paymentMethod'
/** The names of the form's fields: those of the checkout except email and currency. The names never change. */
export const billingUpdateFields: readonly BillingUpdateField[] = [...detailFields, 'paymentMethod']
/** The values that were typed or prefilled; '' for a missing value. `paymentMethod` is one of `methods`, or `keep`. */
export type BillingUpdateForm = Record<BillingUpdateField, string>

/** Periods that are due by now, and are charged one after the other. */
export interface Waiting {
  count: number
  total: Amount
}

/** The quote for the country and the tax ID in the form. */
export interface BillingUpdateQuote extends DetailsQuote {
  /** The next renewal with these details, with tax; null when none is due. */
  nextCharge: { total: Amount; at: string } | null
  /** Periods that are due by now and follow as soon as an outstanding payment is made. */
  waiting: Waiting | null
  /** The outstanding amount including these periods; null if nothing is outstanding. */
  toPay: Amount | null
  /** Whether there is a payment method that may be kept. */
  canKeep: boolean
  /** In which its day is counted; null is UTC. */
  timeZone: string | null
}

interface Common extends HostedPage {
  subscriptionName: string
}

export type BillingUpdatePage = Common &
  (
    | {
        state: 'open'
        /** The current payment method; null when none is stored. `maskedIdentifier` is ready to show. */
        /** Of the seller, for the mandate of a direct debit; null where it has none. */
        sepaCreditorId: string | null
        mandate: { method: 'card' | 'sepa_debit' | 'paypal' | 'bacs_debit'; maskedIdentifier: string } | null
        /** The methods beside `keep`, which is offered when there is a mandate. */
        methods: PaymentMethod[]
        /** False where no method is stored and nothing is to be charged: then none need be chosen. */
        needsMethod: boolean
        quote: BillingUpdateQuote
        /** A payment that was declined and is still outstanding: a new method is charged for it at once. */
        due: { total: Amount; reason: FailureReason } | null
        notice: PaymentNotice | null
        /** The last submit is saved; the page remains for what is outstanding. */
        isSaved: boolean
        form: BillingUpdateForm
        /** Filled only after a submit with problems. */
        problems: Partial<Record<BillingUpdateField, FieldProblem>>
        /** A plain POST, answered 303. The field `intent` with the value `cancel` leaves without a change. */
        submitUrl: string
        /** Answers GET ?country&taxId with the quote in words. */
        quoteUrl: string
        /** Sent back as the hidden field `version`, so that a form that is sent twice is recognized. */
        version: string
        /** False in a link from an email: there is no shop page to go back to. */
        canCancel: boolean
      }
    /** After a submit through an email's link. `charged` is set when an outstanding payment was charged with it, and `waiting` if periods follow it. */
    | { state: 'done'; charged: Amount | null; waiting: Waiting | null }
    | { state: 'expired' }
    /** The subscription is over: nothing to update. */
    | { state: 'ended' }
  )
