import type { Locale } from '../../kernel/locale.ts'
import type { Amount } from '../../kernel/money.ts'
import type { BrandView, LogoView } from '../brand/page.ts'
import type { SellerView } from '../checkouts/page.ts'
import type { StatementDocument } from '../ledger/page.ts'
import type { TermsChange } from '../orders/rules/order.ts'
import type { PaymentMethod } from '../payments/rules/method.ts'
import type { VatStated } from './rules/vat-stated.ts'

/** The invoice page, from the order's own data. Only the shop's name, logo and support are read from live data. */
export interface InvoicePage {
  locale: Locale
  testmode: boolean
  number: string
  /** Paid and issued at the same moment. */
  issuedAt: string
  /** The day of the supply, the first and the last day of a period, or both; never neither. */
  supply: { on: string | null; period: { from: string; until: string } | null }
  storefrontName: string
  logo: LogoView | null
  /** Support contact of the shop. */
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
    /**
     * The first and the last day of the service; null for a line that is no service, or if the days were not stored.
     */
    service: { from: string; until: string } | null
    /** The terms that a change of the subscription replaced. */
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
  /** The last update of the buyer's details; null if they are as issued. */
  correctedAt: string | null
  /** Address of the same document as a file. */
  pdfUrl: string
  /** URL of the electronic invoice in UBL; null if the document has none. */
  ublUrl: string | null
  paymentMethod: PaymentMethod | null
}

/** An invoice as text in its language, for both the page and the file. */
export interface InvoiceDocument {
  locale: Locale
  number: string
  /** When the document got its current content: its issue, or its last update. */
  madeAt: string
  title: string
  heading: string
  /** The logo at the top, with its alternative text. */
  logo: (LogoView & { name: string }) | null
  /** Selects the buyer's forms of the characters that Japan, Korea and China share. */
  han: 'japanese' | 'korean' | 'chinese'
  /** In test mode: the text across every page, and the note that the document is not a real one. */
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
  /** The same document as a file. */
  pdf: { url: string; label: string }
  /** The electronic invoice (EN 16931) that the PDF contains; null if the document has none. */
  eInvoice: string | null
  /** Link to the electronic invoice in UBL. */
  ubl: { url: string; label: string } | null
}

/** A record of facts as a file: headings with labels and values below them. */
export interface FactSheet {
  readonly title: string
  /** Below the title. */
  readonly note: string
  /** The time of its content, ISO 8601: the only date in the file. */
  readonly madeAt: string
  readonly sections: readonly { readonly heading: string; readonly facts: readonly SheetFact[] }[]
}

export interface SheetFact {
  readonly label: string
  readonly value: string
}

/** What can be drawn as a file. */
export type DocumentContent = InvoiceDocument | StatementDocument | FactSheet

/** The invoice as a page. The PDF has no brand colors, so that a change of the brand keeps its bytes. */
export interface InvoiceView {
  locale: Locale
  /** Other documents of a correction, linked from the page. */
  others: { label: string; url: string }[]
  document: InvoiceDocument
  brand: BrandView
}

interface Said {
  label: string
  value: string
}

/** `notes` belong to the description: the service period, and what a change of the subscription replaced. */
/** `description` has a line of its own for each `\n`. */
export interface InvoiceDocumentLine {
  description: string
  quantity: string
  unitPrice: string
  tax: string
  amount: string
}
