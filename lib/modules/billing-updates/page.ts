import {
  type Amount,
  type BuyerField,
  buyerFields,
  type CompanyDetails,
  type FailureReason,
  type FieldProblem,
  type HostedPage,
  type PaymentMethod,
  type PaymentNotice,
} from '../checkouts/page.ts'
import type { TaxIdEffect } from '../tax/rules/index.ts'

/** What the hosted billing page is given and gives back: a buyer's way to other billing details and another payment method. */

export type DetailField = Exclude<BuyerField, 'email' | 'currency' | 'paymentMethod'>
/** The names of the fields of what stands on an invoice of the buyer: the checkout's. They never change. */
export const detailFields = buyerFields.filter(
  (field): field is DetailField => field !== 'email' && field !== 'currency' && field !== 'paymentMethod',
)
export type BillingUpdateField = DetailField | 'paymentMethod'
/** The names of the form's fields: the checkout's, but for what no later charge can change. They never change. */
export const billingUpdateFields: readonly BillingUpdateField[] = [...detailFields, 'paymentMethod']
/** What was typed or prefilled; '' where nothing was. `paymentMethod` is one of `methods`, or `keep`. */
export type BillingUpdateForm = Record<BillingUpdateField, string>

/** What follows from the country and the tax ID in the form. */
export interface BillingUpdateQuote {
  /** What the tax ID does. */
  taxId: TaxIdEffect
  companyDetails: CompanyDetails
  /** The next renewal with these, with tax; null when none is due. */
  nextCharge: { total: Amount; at: string } | null
}

interface Common extends HostedPage {
  subscriptionName: string
}

export type BillingUpdatePage = Common &
  (
    | {
        state: 'open'
        /** What is charged now; null when no method is stored. `maskedIdentifier` is ready to show. */
        mandate: { method: 'card' | 'sepa_debit' | 'paypal' | 'bacs_debit'; maskedIdentifier: string } | null
        /** The methods beside `keep`. `keep` is offered when there is a mandate. */
        methods: PaymentMethod[]
        /** False where no method is stored and nothing is to be charged: none need be chosen. */
        needsMethod: boolean
        quote: BillingUpdateQuote
        /** A payment that was declined and is still owed: a new method is charged for it at once. */
        due: { total: Amount; reason: FailureReason } | null
        notice: PaymentNotice | null
        /** What was sent last is saved; the page stands for what is still owed. */
        isSaved: boolean
        form: BillingUpdateForm
        /** Filled only after a submit that was refused. */
        problems: Partial<Record<BillingUpdateField, FieldProblem>>
        /** A plain POST, answered 303. The field `intent` with the value `cancel` leaves without a change. */
        submitUrl: string
        /** Answers GET ?country&taxId with the quote in words. */
        quoteUrl: string
        /** Sent back as the hidden field `version`, so that a form that is sent twice is known as such. */
        version: string
        /** False in a link from a mail: there is no shop page to go back to. */
        canCancel: boolean
      }
    /** After a submit that came from a mail. `charged` is set when a payment that was owed is being charged now. */
    | { state: 'done'; charged: Amount | null }
    | { state: 'expired' }
    /** The subscription is over: nothing to update. */
    | { state: 'ended' }
  )
