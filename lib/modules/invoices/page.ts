import type { Locale } from '../../kernel/locale.ts'
import type { Amount } from '../../kernel/money.ts'
import type { BrandView, LogoView } from '../brand/page.ts'
import type { SellerView } from '../checkouts/page.ts'
import type { StatementDocument } from '../ledger/page.ts'
import type { TermsChange } from '../orders/rules/order.ts'
import type { PaymentMethod } from '../payments/rules/method.ts'
import type { VatStated } from './rules/vat-stated.ts'

/** From the order's own data. Only the shop's name, logo, and support are live data. */
export interface InvoicePage {
  locale: Locale
  testmode: boolean
  number: string
  /** Paid and issued at the same moment. */
  issuedAt: string
  /** The day of the supply, the first and last day of a period, or both. */
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
    /** Null for a line that is no service, or if the days were not stored. */
    service: { from: string; until: string } | null
    change: TermsChange | null
    quantity: number
    /** Per unit before tax; two to eight decimals. */
    basePrice: Amount
    subtotal: Amount
    taxes: { name: string; percentage: number }[]
  }[]
  subtotal: Amount
  taxes: { name: string; percentage: number; taxable: Amount; amount: Amount }[]
  total: Amount
  /** The VAT in further currencies, where the law asks for it. */
  vatStated: readonly VatStated[]
  /** Distinguished because the articles of the VAT directive do not apply outside its area. */
  reverseCharge: 'in_eu' | 'outside_eu' | null
  /** Supplied outside the EU, where the seller collects no tax. */
  isOutsideScope: boolean
  /** Set on a credit note: the refunded, disputed or replaced invoice, and the cause. */
  credits: { number: string; issuedAt: string; cause: 'refund' | 'chargeback' | 'correction' } | null
  /** Set on a replacing invoice: the replaced invoice, which was paid when it was issued. */
  replaces: { number: string; issuedAt: string } | null
  /** Set on the credit note of a correction: the number of the invoice that its amount pays. */
  settledBy: string | null
  /** Null if the buyer's details are as issued. */
  correctedAt: string | null
  pdfUrl: string
  ublUrl: string | null
  paymentMethod: PaymentMethod | null
}

/** Text in the invoice's language, for both the page and the file. */
export interface InvoiceDocument {
  locale: Locale
  number: string
  /** The time of issue, or of the last update. */
  madeAt: string
  title: string
  heading: string
  logo: (LogoView & { name: string }) | null
  /** Selects the buyer's forms of the characters that Japan, Korea and China share. */
  han: 'japanese' | 'korean' | 'chinese'
  test: { band: string; note: string } | null
  facts: Said[]
  parties: { heading: string; name: string; lines: string[] }[]
  columns: InvoiceDocumentLine
  lines: (InvoiceDocumentLine & { notes: string[] })[]
  netNote: string
  /** The amounts that make up the total. */
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
  /** The time of its content, ISO 8601: the only date in the file. */
  readonly madeAt: string
  readonly sections: readonly { readonly heading: string; readonly facts: readonly SheetFact[] }[]
}

export interface SheetFact {
  readonly label: string
  readonly value: string
}

export type DocumentContent = InvoiceDocument | StatementDocument | FactSheet

/** The PDF has no brand colors, so that a change of the brand keeps its bytes. */
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

/** `description` has a line of its own for each `\n`. */
export interface InvoiceDocumentLine {
  description: string
  quantity: string
  unitPrice: string
  tax: string
  amount: string
}
