import type { Amount, PaymentMethod, SellerView } from '../checkouts/page.ts'
import type { Locale } from '../kernel/locale.ts'

/** The invoice page: a snapshot; nothing in it is read from live data. */
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
    quantity: number
    /** Per unit before tax; two to eight decimals. */
    basePrice: Amount
    subtotal: Amount
    taxes: { name: string; percentage: number }[]
  }[]
  subtotal: Amount
  taxes: { name: string; percentage: number; taxable: Amount; amount: Amount }[]
  total: Amount
  reverseCharge: boolean
  paymentMethod: PaymentMethod | null
}
