import type { Locale } from '../../kernel/locale.ts'
import type { Amount, PaymentMethod, SellerView } from '../checkouts/page.ts'
import type { TermsChange } from '../orders/rules/order.ts'

/** The invoice page: what the order keeps of the sale. Only the shop's name is read from live data. */
export interface InvoicePage {
  locale: Locale
  testmode: boolean
  number: string
  /** Paid and issued at the same moment. */
  issuedAt: string
  storefrontName: string
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
    /** The first and the last day on which the service is supplied; null of what is no service, or not kept. */
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
  /** Outside the area of the VAT directive no article of it holds. */
  reverseCharge: 'in_eu' | 'outside_eu' | null
  /** Of a credit note: the invoice whose money went back, and what made it. */
  credits: { number: string; issuedAt: string; cause: 'refund' | 'chargeback' } | null
  /** When the buyer's details were corrected last; null while they are as issued. */
  correctedAt: string | null
  /** Where the same document is a file. */
  pdfUrl: string
  paymentMethod: PaymentMethod | null
}

/** An invoice in the words of its language, as the page and the file both show it. */
export interface InvoiceDocument {
  locale: Locale
  number: string
  /** When the document came to say what it says: its issue, or its last correction. */
  madeAt: string
  title: string
  heading: string
  /** Whose forms of the characters that Japan, Korea and China share the buyer writes. */
  han: 'japanese' | 'korean' | 'chinese'
  /** Of test mode: what stands across every sheet, and that the document is not a real one. */
  test: { band: string; note: string } | null
  facts: Said[]
  parties: { heading: string; name: string; lines: string[] }[]
  columns: InvoiceDocumentLine
  lines: (InvoiceDocumentLine & { notes: string[] })[]
  netNote: string
  /** What the total is made of. */
  sums: Said[]
  total: Said
  closing: string[]
  /** The same document as a file. */
  pdf: { url: string; label: string }
}

interface Said {
  label: string
  value: string
}

/** `notes` say what belongs to the description: the time of a service, what a change changed. */
/** `description` has a line of its own for each `\n`. */
export interface InvoiceDocumentLine {
  description: string
  quantity: string
  unitPrice: string
  tax: string
  amount: string
}
