import type { Amount } from '../../kernel/money.ts'
import { type DetailField, detailFields } from '../billing-updates/page.ts'
import type { CompanyDetails, FieldProblem, HostedPage } from '../checkouts/page.ts'

export type InvoiceUpdateField = DetailField | 'useForLaterOrders'
/** The names never change. */
export const invoiceUpdateFields: readonly InvoiceUpdateField[] = [...detailFields, 'useForLaterOrders']
/** '' for an empty field and an unticked box. */
export type InvoiceUpdateForm = Record<InvoiceUpdateField, string>

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
        /** `country` is the invoice's. It decided the tax and does not change. */
        form: InvoiceUpdateForm
        /** `invalid`: the tax ID is not one of the country. */
        problems: Partial<Record<InvoiceUpdateField, FieldProblem>>
        taxIdPrefix: string | null
        /** A reverse charge: the invoice has to show the tax ID. */
        needsTaxId: boolean
        /** The tax that a valid tax ID would refund; null if a tax ID would change nothing. */
        correctableTax: Amount | null
        companyDetails: CompanyDetails
        submitUrl: string
        /** Sent back as the hidden field `version`, so that a repeated submit is recognized. */
        version: string
      }
    /** `formUrl` opens the form again; `alsoLater` says that later orders use the details too. */
    | {
        state: 'done'
        invoiceUrl: string
        formUrl: string
        alsoLater: boolean
        correction: TaxCorrectionView | null
        notCorrected: 'unconfirmed' | 'open_money' | null
      }
    | { state: 'expired' }
  )
