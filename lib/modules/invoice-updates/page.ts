import type { Amount } from '../../kernel/money.ts'
import { type DetailField, detailFields } from '../billing-updates/page.ts'
import type { CompanyDetails, FieldProblem, HostedPage } from '../checkouts/page.ts'

export type InvoiceUpdateField = DetailField | 'useForLaterOrders'
/** Drafts store these field names, so the names never change. */
export const invoiceUpdateFields: readonly InvoiceUpdateField[] = [...detailFields, 'useForLaterOrders']
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
        /** The country in `form` is read-only, because it decided the tax. */
        form: InvoiceUpdateForm
        problems: Partial<Record<InvoiceUpdateField, FieldProblem>>
        taxIdPrefix: string | null
        /** `needsTaxId` is true for a reverse charge, whose invoice must show the tax ID. */
        needsTaxId: boolean
        /** The tax that is refunded if the buyer adds a valid tax ID; null if a tax ID would change nothing. */
        correctableTax: Amount | null
        companyDetails: CompanyDetails
        submitUrl: string
        /** The form sends this value back in the hidden field `version`, so that a repeated submit is recognized. */
        version: string
      }
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
