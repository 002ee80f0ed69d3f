import type { z } from 'zod'
import type { Interval } from '../../kernel/calendar.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Amount, Currency } from '../../kernel/money.ts'
import type { Named } from '../../kernel/named.ts'
import type { StorefrontView } from '../brand/page.ts'
import type { WithdrawalKind } from '../orders/rules/withdrawal.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { PaymentMethod } from '../payments/rules/method.ts'
import type { TransferDetails } from '../payments/rules/transfer-details.ts'
import type { TaxIdEffect } from '../tax/rules/index.ts'
import type { CheckoutShape } from './contract.ts'

/** Amounts in this file are decimal strings. Times are ISO 8601 in UTC. */

/** `addressLines` is formatted for print and omits the country. */
export interface SellerView {
  name: string
  addressLines: string[]
  country: string
  vatId: string | null
  email: string | null
}

/** Merchants use these field names in their automated tests, so do not change the names. */
export const buyerFields = [
  'email',
  'country',
  'fullName',
  'companyName',
  'taxId',
  'streetAndNumber',
  'streetAdditional',
  'postalCode',
  'city',
  'region',
  'currency',
  'paymentMethod',
] as const
export type BuyerField = (typeof buyerFields)[number]
/** A missing value is ''. `country` is an ISO 3166-1 alpha-2 code. */
export type BuyerForm = Record<BuyerField, string>

export type FieldProblem =
  | { code: 'required' }
  | { code: 'invalid' }
  | { code: 'unknown' }
  | { code: 'unavailable' }
  | { code: 'not_registered' }
  /** The tax ID could cause a reverse charge, but the registry does not respond. */
  | { code: 'unconfirmed' }
  /** The IP address or the bank of the buyer is in the country `elsewhere`, so the buyer must confirm the chosen country. */
  | { code: 'contradicted'; elsewhere: string }
  | { code: 'too_long'; limit: number }

export interface QuoteLine {
  name: string
  description: string
  quantity: number
  /** The catalog price: without tax if the checkout is `exclusive`, with tax if it is `inclusive`. */
  unitPrice: Amount
  /** `unitPrice` × `quantity`. For a trial, `amount` is the price of one period, although nothing is due today. */
  amount: Amount
  recurring: { interval: Interval; intervalCount: number } | null
  trialUntil: string | null
}

export interface RenewalView {
  name: string
  quantity: number
  /** The price of one period, with tax. */
  price: Amount
  interval: Interval
  intervalCount: number
  trialUntil: string | null
  /** The end of the first period or of the trial. */
  nextChargeAt: string
}

export type CompanyDetails = 'optional' | 'asked' | 'required'
/**
 * The details of a customer that an invoice states in addition to name, country, and tax ID (Directive 2006/112/EC,
 * art. 226).
 */
export const companyDetailFields = ['companyName', 'streetAndNumber', 'postalCode', 'city'] as const

export interface DetailsQuote {
  taxId: TaxIdEffect
  taxIdExample: string | null
  registeredName?: string | null
  companyDetails: CompanyDetails
  asksForTaxId: boolean
  asksForAddress: boolean
  /** True for Canada, because its provinces have their own taxes. */
  asksForProvince: boolean
  asksForPostalCode: boolean
}

export interface Quote extends DetailsQuote {
  currency: Currency
  currencies: Currency[]
  /** Null until the buyer chooses a country. Amounts are then catalog prices, and the tax is unknown. */
  country: string | null
  taxBehavior: 'exclusive' | 'inclusive'
  lines: QuoteLine[]
  /** The amount due today, before tax. */
  subtotal: Amount
  taxes: { name: string; percentage: number; amount: Amount }[]
  reverseCharge: boolean
  withdrawal: WithdrawalKind | null
  /** The amount due today, with tax. */
  total: Amount
  methods: readonly PaymentMethod[]
  proposedMethod: PaymentMethod | null
  asksForMethod: boolean
  renewals: RenewalView[]
  /** The total and the renewal prices as one text. The form sends this text back, so that the server can detect changed prices. */
  prices: string
  timeZone: string | null
}

export interface Receipt {
  items: {
    name: string
    quantity: number
    /** The charged amount with tax; null if the item is in a trial and nothing was charged. */
    total: Amount | null
  }[]
  /** The id of the order. Set only if the order has no invoice: nothing was due, or the payment has not arrived. */
  orderNumber: string | null
  statementName: string | null
  cancelable: 'now' | 'once_paid' | null
  cancelUrl: string
  nextCharges: { name: string; quantity: number; total: Amount; at: string }[]
  /** The time zone of the buyer's browser; null if unknown. */
  timeZone: string | null
  /**
   * Null if the buyer has no right of withdrawal, if the right has ended, or if the buyer has withdrawn from the whole
   * order. `beginsAtOnce` is true if the buyer requested a start of the supply before the right ends.
   */
  withdrawal: { kind: WithdrawalKind; beginsAtOnce: boolean; until: string; url: string } | null
}

export interface HostedPage extends StorefrontView {
  locale: Locale
  testmode: boolean
  seller: SellerView
}

export type PaymentNotice = { isVerification: boolean } & (
  | { kind: 'declined'; reason: FailureReason }
  | { kind: 'payment_canceled' }
  | { kind: 'payment_expired' }
)

interface Common extends HostedPage {
  successUrl: string | null
  canceledUrl: string
}

export interface OwedState {
  state: 'owed'
  total: Amount
  invoiceNumber: string
  invoiceUrl: string
  methods: readonly PaymentMethod[]
  until: string | null
  notice: PaymentNotice | null
  submitUrl: string
}

export interface OpenState {
  state: 'open'
  quote: Quote
  form: BuyerForm
  beginsAtOnce: boolean
  problems: Partial<Record<BuyerField, FieldProblem>>
  notice:
    | PaymentNotice
    /** The tax or the currency changed the total after the page was displayed. The buyer must confirm the new total. */
    | { kind: 'total_changed' }
    | null
  /**
   * The form sends a POST request to `submitUrl`, which responds with 303. A GET request to `quoteUrl` with country, taxId, currency, timeZone, and lang returns
   * the quote as formatted texts.
   */
  submitUrl: string
  sepaCreditorId: string | null
  quoteUrl: string
}

export type CheckoutPage = Common &
  (
    | OwedState
    | (OpenState & {
        expiresAt: string
      })
    | {
        state: 'pending'
        isDirectDebit: boolean
        transfer: TransferDetails | null
        total: Amount
        settlesBefore: string
        receipt: Receipt
      }
    | {
        state: 'paid'
        total: Amount
        paidAt: string
        invoiceNumber: string | null
        invoiceUrl: string | null
        email: string
        receipt: Receipt
      }
    | { state: 'expired' }
    | {
        state: 'canceled'
        isWrittenOff?: boolean
      }
    | { state: 'live_not_set_up' }
    | { state: 'suspended' }
  )

export type AdminCheckout = z.infer<typeof CheckoutShape>

export type AdminCheckoutRow = AdminCheckout & {
  /** `buyer` is the buyer's company, name, or email address; null before the buyer enters one. */
  readonly buyer: string | null
  /** `amount` is the total of the order with tax. Before the order exists, it is the sum of unit price × quantity. */
  readonly amount: Amount
  /**
   * Whether `amount` excludes or includes tax before the order exists. Null after that, because the total of an order
   * includes tax.
   */
  readonly taxBehavior: 'exclusive' | 'inclusive' | null
}

interface Cycle {
  readonly unit: Interval
  readonly count: number
}

export interface AdminCheckoutPage {
  readonly checkout: AdminCheckout
  readonly customer: Named | null
  /** `order` is null until the checkout is paid. */
  readonly order: Named | null
  readonly paymentLink: Named | null
  readonly lines: readonly {
    readonly id: string
    readonly productId: string
    readonly name: string
    readonly quantity: number
    readonly unitPrice: Amount
    readonly trialDays: number | null
    readonly interval: Cycle | null
  }[]
}

export const checkoutLinkLines = [0, 1, 2, 3, 4] as const

export interface ProductOption {
  readonly id: string
  readonly name: string
  readonly price: Amount
  readonly taxBehavior: 'exclusive' | 'inclusive'
  readonly interval: Cycle | null
}

export interface CheckoutLinkForm {
  readonly options: readonly ProductOption[]
  readonly values: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}
