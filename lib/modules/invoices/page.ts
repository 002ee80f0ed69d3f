import type { Locale } from '../../kernel/locale.ts'
import type { Amount } from '../../kernel/money.ts'
import type { BrandView, LogoView } from '../brand/page.ts'
import type { SellerView } from '../checkouts/page.ts'
import type { StatementDocument } from '../ledger/page.ts'
import type { TermsChange } from '../orders/rules/order.ts'
import type { PaymentMethod } from '../payments/rules/method.ts'
import type { VatStated } from './rules/vat-stated.ts'

/** The order's data, with the shop's current name, logo, and support address. */
export interface InvoicePage {
  locale: Locale
  testmode: boolean
  number: string
  /** The time of payment, which is also the time of issue. */
  issuedAt: string
  supply: { on: string | null; period: { from: string; until: string } | null }
  storefrontName: string
  logo: LogoView | null
  support: Pick<BrandView, 'supportEmail' | 'supportUrl'>
  seller: SellerView
  buyer: {
    fullName: string | null
    companyName: string | null
    addressLines: string[]
    country: string | null
    email: string | null
    taxId: string | null
  }
  lines: {
    description: string
    service: { from: string; until: string } | null
    change: TermsChange | null
    quantity: number
    basePrice: Amount
    subtotal: Amount
    taxes: { name: string; percentage: number }[]
  }[]
  subtotal: Amount
  taxes: { name: string; percentage: number; taxable: Amount; amount: Amount }[]
  total: Amount
  vatStated: readonly VatStated[]
  /**
   * Null if the sale has no reverse charge. `in_eu`: the seller and the buyer are in the EU, so the articles of the VAT
   * directive apply.
   */
  reverseCharge: 'in_eu' | 'outside_eu' | null
  isOutsideScope: boolean
  /** On a credit note, `credits` is the invoice that was credited after a refund, a dispute, a write-off, or a correction. Null on an invoice. */
  credits: { number: string; issuedAt: string; cause: 'refund' | 'chargeback' | 'writtenOff' | 'correction' } | null
  /** On a replacing invoice, `replaces` is the replaced invoice, which was issued on the date of payment. */
  replaces: { number: string; issuedAt: string } | null
  /**
   * On a credit note, `settledBy` is the number of the replacing invoice that the amount of the credit note pays. Null
   * on other documents.
   */
  settledBy: string | null
  /** `correctedAt` is the time of the last update of the buyer's details; null if the details are as issued. */
  correctedAt: string | null
  pdfUrl: string
  ublUrl: string | null
  paymentMethod: PaymentMethod | null
}

export interface InvoiceDocument {
  locale: Locale
  number: string
  /** The time of issue or of the last update. */
  madeAt: string
  title: string
  heading: string
  logo: (LogoView & { name: string }) | null
  han: 'japanese' | 'korean' | 'chinese'
  test: { band: string; note: string } | null
  facts: Said[]
  parties: { heading: string; name: string; lines: string[] }[]
  columns: InvoiceDocumentLine
  lines: (InvoiceDocumentLine & { notes: string[] })[]
  netNote: string
  sums: Said[]
  total: Said
  closing: string[]
  pdf: { url: string; label: string }
  eInvoice: string | null
  ubl: { url: string; label: string } | null
}

export interface FactSheet {
  readonly title: string
  readonly note: string
  /**
   * `madeAt` is an ISO 8601 time. The metadata of the PDF contain no other date, so that equal facts give equal bytes.
   */
  readonly madeAt: string
  readonly sections: readonly { readonly heading: string; readonly facts: readonly SheetFact[] }[]
}

export interface SheetFact {
  readonly label: string
  readonly value: string
}

export type DocumentContent = InvoiceDocument | StatementDocument | FactSheet

/** The PDF omits `brand`, so that new brand colors do not change the bytes of the PDF. */
export interface InvoiceView {
  locale: Locale
  others: { label: string; url: string }[]
  document: InvoiceDocument
  brand: BrandView
}

interface Said {
  label: string
  value: string
}

export interface InvoiceDocumentLine {
  description: string
  quantity: string
  unitPrice: string
  tax: string
  amount: string
}
