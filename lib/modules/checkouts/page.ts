import type { z } from 'zod'
import type { Interval } from '../../kernel/calendar.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Amount, Currency } from '../../kernel/money.ts'
import type { StorefrontView } from '../brand/page.ts'
import type { WithdrawalKind } from '../orders/rules/withdrawal.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { PaymentMethod } from '../payments/rules/method.ts'
import type { TransferDetails } from '../payments/rules/transfer-details.ts'
import type { TaxIdEffect } from '../tax/rules/index.ts'
import type { CheckoutShape } from './contract.ts'

/** The input and output of the hosted checkout page. Amounts are decimal strings, moments ISO 8601 in UTC. */

/** The company that sells: the merchant of record. `addressLines` is ready to print, country code apart. */
export interface SellerView {
  name: string
  addressLines: string[]
  country: string
  vatId: string | null
  email: string | null
}

/** The names of the form's fields. Merchants automate them in their own tests: they never change. */
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
/** The values that were typed or prefilled; '' for a missing value. `country` is '' or an ISO 3166-1 alpha-2 code. */
export type BuyerForm = Record<BuyerField, string>

/** Why a field was refused; the page has a sentence for each. `limit` is the most characters allowed. */
export type FieldProblem =
  | { code: 'required' }
  | { code: 'invalid' }
  | { code: 'unknown' }
  | { code: 'unavailable' }
  /** A tax ID that the registry does not have. */
  | { code: 'not_registered' }
  /** A tax ID that a reverse charge depends on, while the registry does not answer. */
  | { code: 'unconfirmed' }
  /** A country that the buyer confirms, since the address of the connection or the bank is `elsewhere`. */
  | { code: 'contradicted'; elsewhere: string }
  | { code: 'too_long'; limit: number }

export interface QuoteLine {
  name: string
  description: string
  quantity: number
  /** The catalog's price: without tax when the checkout is `exclusive`, with tax when it is `inclusive`. */
  unitPrice: Amount
  /** unitPrice x quantity. For a trial the price of the period, although nothing is due for it today. */
  amount: Amount
  recurring: { interval: Interval; intervalCount: number } | null
  /** The moment until which this line costs nothing, or null. */
  trialUntil: string | null
}

/** One subscription that the checkout starts, in the figures that the buyer agrees to. */
export interface RenewalView {
  name: string
  quantity: number
  /** With tax, per period. */
  price: Amount
  interval: Interval
  intervalCount: number
  /** Set when the first period is free: nothing is due for it today. */
  trialUntil: string | null
  /** The first charge that is not today's: the end of the first period, or of the trial. */
  nextChargeAt: string
}

/** The effect of a reverse charge on the company and address fields: none, asks for them, or requires them. */
export type CompanyDetails = 'optional' | 'asked' | 'required'
/** The customer's fields on an invoice besides name, country, and tax ID (Directive 2006/112/EC, art. 226). */
export const companyDetailFields = ['companyName', 'streetAndNumber', 'postalCode', 'city'] as const

/** What a form says and asks of the buyer's details, for the country and the tax ID that are typed. */
export interface DetailsQuote {
  /** The effect of the tax ID that was typed. */
  taxId: TaxIdEffect
  /** How a tax ID of the country is written; null if that is not known, and if the typed one has the form already. */
  taxIdExample: string | null
  /** Of the tax ID, where the registry confirmed it and named its holder. */
  registeredName?: string | null
  companyDetails: CompanyDetails
  /** The field of the tax ID shows at once, instead of in a fold: in the EU, where it can change the tax. */
  asksForTaxId: boolean
  /** The fields of the address show at once, for a reverse charge; else they are folded until the buyer opens them. */
  asksForAddress: boolean
  /**
   * In Canada, whose provinces have taxes of their own: the postal code, which tells the province, shows at once. It stays
   * optional.
   */
  asksForProvince: boolean
  /** False in countries whose addresses have no postal code. */
  asksForPostalCode: boolean
}

/** The order for the buyer's country, tax ID and currency. */
export interface Quote extends DetailsQuote {
  currency: Currency
  /** More than one when the buyer may choose: EUR first, then the money of the country. */
  currencies: Currency[]
  /** Null while none is chosen: amounts are then the catalog's, and the tax is unknown. */
  country: string | null
  taxBehavior: 'exclusive' | 'inclusive'
  lines: QuoteLine[]
  /** Due today, before tax. */
  subtotal: Amount
  taxes: { name: string; percentage: number; amount: Amount }[]
  reverseCharge: boolean
  /** What a consumer in the EEA may withdraw from; null without that right. */
  withdrawal: WithdrawalKind | null
  /** Due today, with tax. */
  total: Amount
  /** The payment methods to offer in this country and currency, the most used first. */
  methods: readonly PaymentMethod[]
  /** The first of them; null while the country is unknown. */
  proposedMethod: PaymentMethod | null
  /** False where nothing is due today nor at any renewal: the page then asks for no payment method. */
  asksForMethod: boolean
  renewals: RenewalView[]
  /** The total and the renewal prices as one text. The form sends back the prices that the buyer saw. */
  prices: string
  /** In which the days of trials and renewals are counted, as the emails count them; null is UTC. */
  timeZone: string | null
}

/** The items of a paid checkout, and its next charges. */
export interface Receipt {
  items: {
    name: string
    quantity: number
    /** With tax; null where a trial makes it free for now. */
    total: Amount | null
  }[]
  /** The order's id, where there is no invoice: nothing was due, or the payment is not there yet. */
  orderNumber: string | null
  /** The seller's name on the bank statement; null if nothing was charged, or the seller states none. */
  statementName: string | null
  /** Whether a subscription of the checkout can be canceled; null if none was sold or none is active any more. */
  cancelable: 'now' | 'once_paid' | null
  /** Where a buyer without a session cancels. */
  cancelUrl: string
  /** With tax; one for each subscription that will be charged. */
  nextCharges: { name: string; quantity: number; total: Amount; at: string }[]
  /**
   * A consumer's right of withdrawal: until when it lasts, and whether they asked to begin before. Null without it, once it is
   * over, and once all was withdrawn from; that digital content began with their consent stays confirmed.
   */
  withdrawal: { kind: WithdrawalKind; beginsAtOnce: boolean; until: string; url: string } | null
}

/** What a hosted page with a form shows. */
export interface HostedPage extends StorefrontView {
  locale: Locale
  testmode: boolean
  seller: SellerView
}

/** Why the buyer is back from the provider's page with nothing paid, or with a payment method that was not verified. */
export type PaymentNotice = { isVerification: boolean } & (
  | { kind: 'declined'; reason: FailureReason }
  | { kind: 'payment_canceled' }
  | { kind: 'payment_expired' }
)

interface Common extends HostedPage {
  /** The shop's page to which the buyer returns; null where the buyer stays here after the payment. */
  successUrl: string | null
  canceledUrl: string
}

/** The bank returned the payment of a complete sale: the buyer pays it again. */
export interface OwedState {
  state: 'owed'
  total: Amount
  invoiceNumber: string
  invoiceUrl: string
  /** Empty if the payment provider takes no method at the moment. */
  methods: readonly PaymentMethod[]
  /** When the order is canceled. */
  until: string | null
  notice: PaymentNotice | null
  submitUrl: string
}

export interface OpenState {
  state: 'open'
  quote: Quote
  form: BuyerForm
  /** Whether the buyer asked to begin before the right of withdrawal ends. */
  beginsAtOnce: boolean
  /** Filled only after a submit with problems. */
  problems: Partial<Record<BuyerField, FieldProblem>>
  notice:
    | PaymentNotice
    /** The tax or the currency changed the total after the buyer saw it: the buyer confirms the new one. */
    | { kind: 'total_changed' }
    | null
  /** Form targets: plain POST, answered 303. `quoteUrl` answers GET ?country&taxId&currency&timeZone with the Quote in words. */
  submitUrl: string
  /** Of the seller, for the mandate of a direct debit; null where it has none. */
  sepaCreditorId: string | null
  quoteUrl: string
}

export type CheckoutPage = Common &
  (
    | OwedState
    | (OpenState & {
        /** Different each time the form is shown, so that a page from the back button is recognized. */
        expiresAt: string
      })
    | {
        /** A payment is on its way: nothing to do, the page may be closed. */
        state: 'pending'
        /** SEPA, which takes days; other methods may wait for their provider. */
        isDirectDebit: boolean
        /** The bank details of a bank transfer. `settlesBefore` is then the last day for the money to arrive. */
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
        /** The bank returned the payment of a complete sale, and the buyer did not pay it again. */
        isWrittenOff?: boolean
      }
    | { state: 'live_not_set_up' }
    | { state: 'suspended' }
  )

/** A checkout of the interface, as pages show it. */
export type AdminCheckout = z.infer<typeof CheckoutShape>

interface Cycle {
  readonly unit: Interval
  readonly count: number
}

/** One checkout in the admin area, with what it sells. */
export interface AdminCheckoutPage {
  readonly checkout: AdminCheckout
  readonly lines: readonly {
    readonly id: string
    readonly name: string
    readonly quantity: number
    readonly unitPrice: Amount
    readonly trialDays: number | null
    /** Null for a one-off product. */
    readonly interval: Cycle | null
  }[]
}

/** The lines of the form for a checkout link. */
export const checkoutLinkLines = [0, 1, 2, 3, 4] as const

export interface ProductOption {
  readonly id: string
  readonly name: string
  readonly price: Amount
  readonly taxBehavior: 'exclusive' | 'inclusive'
  readonly interval: Cycle | null
}

/** The form for a checkout link, with the submitted values and their problems. */
export interface CheckoutLinkForm {
  readonly options: readonly ProductOption[]
  /** By the names of the fields, such as `products.0.quantity`. */
  readonly values: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}
