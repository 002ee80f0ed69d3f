import type { Amount } from '../../kernel/money.ts'
import { type DetailField, detailFields } from '../billing-updates/page.ts'
import type { CompanyDetails, FieldProblem, HostedPage } from '../checkouts/page.ts'

/** The input and output of the hosted page on which a buyer updates the details on an issued invoice. */

export type InvoiceUpdateField = DetailField | 'useForLaterOrders'
/** The names of the form's fields: the checkout's, and a checkbox. They never change. */
export const invoiceUpdateFields: readonly InvoiceUpdateField[] = [...detailFields, 'useForLaterOrders']
/** The typed values, or the invoice's values; '' for an empty field and an unticked box. */
export type InvoiceUpdateForm = Record<InvoiceUpdateField, string>

/** The correction by which the invoice of the page replaced another, with the refunded tax. */
export interface TaxCorrectionView {
  tax: Amount
  replacedInvoice: { number: string; url: string }
  creditNote: { number: string; url: string }
}

interface Common extends HostedPage {
  document: 'invoice' | 'creditNote'
  number: string
}

export type InvoiceUpdatePage = Common &
  (
    | {
        state: 'open'
        issuedAt: string
        total: Amount
        invoiceUrl: string
        /** `country` is the invoice's: it decided the tax, and stays. */
        form: InvoiceUpdateForm
        /**
         * Filled only after a submit with problems. A tax ID that is `invalid` is not one of the country.
         */
        problems: Partial<Record<InvoiceUpdateField, FieldProblem>>
        /** What a tax ID of the country begins with; null where that is not known. */
        taxIdPrefix: string | null
        /** A reverse charge: the invoice has to show the tax ID. */
        needsTaxId: boolean
        /** The tax that a valid tax ID would refund; null if a tax ID would change nothing. */
        correctableTax: Amount | null
        companyDetails: CompanyDetails
        /** A plain POST, answered 303. */
        submitUrl: string
        /** Sent back as the hidden field `version`, so that a form that is sent twice is recognized. */
        version: string
      }
    /** After a submit. `formUrl` opens the form again; `alsoLater` says that later orders use the details too. */
    | {
        state: 'done'
        invoiceUrl: string
        formUrl: string
        alsoLater: boolean
        correction: TaxCorrectionView | null
        /** Why the tax of a late tax ID is not refunded yet. */
        notCorrected: 'unconfirmed' | 'open_money' | null
      }
    | { state: 'expired' }
  )
