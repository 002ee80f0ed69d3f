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

/** Amounts are decimal strings, times ISO 8601 in UTC. */

/** The company that sells: the merchant of record. `addressLines` is ready to print, country code apart. */
export interface SellerView {
  name: string
  addressLines: string[]
  country: string
  vatId: string | null
  email: string | null
}

/** Merchants automate these names in their own tests, so the names never change. */
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
/** '' for a missing value. `country` is '' or an ISO 3166-1 alpha-2 code. */
export type BuyerForm = Record<BuyerField, string>

/** The page has a sentence for each problem. `limit` is the maximum number of characters. */
export type FieldProblem =
  | { code: 'required' }
  | { code: 'invalid' }
  | { code: 'unknown' }
  | { code: 'unavailable' }
  | { code: 'not_registered' }
  /** The registry does not answer, and a reverse charge depends on the tax ID. */
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
  /** unitPrice x quantity. For a trial, the price of the period, although nothing is due today. */
  amount: Amount
  recurring: { interval: Interval; intervalCount: number } | null
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
  trialUntil: string | null
  /** The first charge that is not today's: the end of the first period, or of the trial. */
  nextChargeAt: string
}

export type CompanyDetails = 'optional' | 'asked' | 'required'
/** The customer's fields on an invoice besides name, country, and tax ID (Directive 2006/112/EC, art. 226). */
export const companyDetailFields = ['companyName', 'streetAndNumber', 'postalCode', 'city'] as const

export interface DetailsQuote {
  taxId: TaxIdEffect
  /** An example of a tax ID of the country; null if unknown, or if the typed tax ID has the form already. */
  taxIdExample: string | null
  /** The holder of the tax ID, if the registry confirmed and named the holder. */
  registeredName?: string | null
  companyDetails: CompanyDetails
  /** In the EU, where the tax ID can change the tax, its field is not folded. */
  asksForTaxId: boolean
  /** The address fields are not folded, for a reverse charge. */
  asksForAddress: boolean
  /** Canadian provinces have their own taxes, and the postal code tells the province. It stays optional. */
  asksForProvince: boolean
  asksForPostalCode: boolean
}

export interface Quote extends DetailsQuote {
  currency: Currency
  /** More than one when the buyer may choose: EUR first, then the money of the country. */
  currencies: Currency[]
  /** Null while none is chosen: amounts are the catalog's, and the tax is unknown. */
  country: string | null
  taxBehavior: 'exclusive' | 'inclusive'
  lines: QuoteLine[]
  /** Due today, before tax. */
  subtotal: Amount
  taxes: { name: string; percentage: number; amount: Amount }[]
  reverseCharge: boolean
  /** What a consumer in the EEA may withdraw from; null without the right of withdrawal. */
  withdrawal: WithdrawalKind | null
  /** Due today, with tax. */
  total: Amount
  methods: readonly PaymentMethod[]
  /** The first method; null while the country is unknown. */
  proposedMethod: PaymentMethod | null
  /** False where nothing is due today nor at any renewal: the page then asks for no payment method. */
  asksForMethod: boolean
  renewals: RenewalView[]
  /** The total and the renewal prices as one text. The form sends back the prices that the buyer saw. */
  prices: string
  /** The time zone for the days of trials and renewals, as in emails; null is UTC. */
  timeZone: string | null
}

export interface Receipt {
  items: {
    name: string
    quantity: number
    /** With tax; null if a trial makes the item free for now. */
    total: Amount | null
  }[]
  /** The order's id, if there is no invoice: nothing was due, or the payment has not arrived. */
  orderNumber: string | null
  /** The seller's name on the bank statement; null if nothing was charged, or the seller states none. */
  statementName: string | null
  /** Null if no subscription was sold or none is active any more. */
  cancelable: 'now' | 'once_paid' | null
  cancelUrl: string
  /** With tax; one for each subscription that will be charged. */
  nextCharges: { name: string; quantity: number; total: Amount; at: string }[]
  /**
   * The right of withdrawal: its end, and whether the buyer asked for an earlier start. Null without the right, after
   * its end, and after a full withdrawal. Consent to immediate digital content stays confirmed.
   */
  withdrawal: { kind: WithdrawalKind; beginsAtOnce: boolean; until: string; url: string } | null
}

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
  /** Null if the buyer stays here after the payment. */
  successUrl: string | null
  canceledUrl: string
}

export interface OwedState {
  state: 'owed'
  total: Amount
  invoiceNumber: string
  invoiceUrl: string
  /** Empty if the payment provider accepts no method at the moment. */
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
  problems: Partial<Record<BuyerField, FieldProblem>>
  notice:
    | PaymentNotice
    /** The tax or the currency changed the total after the buyer saw it: the buyer confirms the new total. */
    | { kind: 'total_changed' }
    | null
  /** A plain POST, answered with 303. `quoteUrl` answers GET ?country&taxId&currency&timeZone with a Quote. */
  submitUrl: string
  /** The seller's creditor identifier, for the mandate of a direct debit. */
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
        /** SEPA Direct Debit, which takes days. */
        isDirectDebit: boolean
        /** The bank details of a bank transfer. The money must arrive by `settlesBefore`. */
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

interface Cycle {
  readonly unit: Interval
  readonly count: number
}

export interface AdminCheckoutPage {
  readonly checkout: AdminCheckout
  readonly lines: readonly {
    readonly id: string
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
