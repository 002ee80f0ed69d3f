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
  /** Where the shop answers questions. */
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
     * The first and the last day on which the service is supplied; null for a line that is no service, or where the
     * days were not kept.
     */
    service: { from: string; until: string } | null
    /** What a change of a subscription replaced. */
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
  /** Outside the area of the VAT directive none of its articles applies. */
  reverseCharge: 'in_eu' | 'outside_eu' | null
  /** Supplied outside the EU, where the seller collects no tax. */
  isOutsideScope: boolean
  /** Of a credit note: the refunded, disputed or replaced invoice, and the cause. */
  credits: { number: string; issuedAt: string; cause: 'refund' | 'chargeback' | 'correction' } | null
  /** Of an invoice in place of another: that invoice, which was paid when it was issued. */
  replaces: { number: string; issuedAt: string } | null
  /** Of the credit note of a correction: the number of the invoice that its amount pays. */
  settledBy: string | null
  /** When the buyer's details were updated last; null while they are as issued. */
  correctedAt: string | null
  /** Address of the same document as a file. */
  pdfUrl: string
  /** And as an electronic invoice in UBL; null where there is none. */
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
  /** At the top, with its text for those who cannot see it. */
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
  /** The same as an electronic invoice (EN 16931), which the file has in it; null where there is none. */
  eInvoice: string | null
  /** And as a file of its own, in UBL. */
  ubl: { url: string; label: string } | null
}

/** A record of facts as a file: headings with labels and values below them. */
export interface FactSheet {
  readonly title: string
  /** Below the title. */
  readonly note: string
  /** When its content was as it is, ISO 8601: the only date of the file. */
  readonly madeAt: string
  readonly sections: readonly { readonly heading: string; readonly facts: readonly SheetFact[] }[]
}

export interface SheetFact {
  readonly label: string
  readonly value: string
}

/** What can be drawn as a file. */
export type DocumentContent = InvoiceDocument | StatementDocument | FactSheet

/** The invoice as a page. Its file has no colors, so that a change of the brand's leaves the file as it is. */
export interface InvoiceView {
  locale: Locale
  /** Other documents of a correction, which the page leads to. */
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
