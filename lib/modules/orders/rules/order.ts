import type { Currency, StatedCurrency } from '../../../kernel/currencies.ts'
import type { Locale } from '../../../kernel/locale.ts'
import { machine, type StateOf } from '../../../kernel/machine.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import type { PaymentMethod } from '../../payments/rules/method.ts'
import type { PaymentFailure } from '../../recovery/rules/index.ts'
import type { TaxAmount } from '../../tax/rules/index.ts'
import type { ExchangeRate } from './exchange.ts'
import type { WithdrawalKind } from './withdrawal.ts'

/**
 * `created` until the payment is at the provider, `pending` while it is, and also between a decline and the next
 * attempt. A paid order is open again, with its invoice, if the bank returns the direct debit that paid it.
 */
export const orderStates = machine({
  created: { await: 'pending', pay: 'paid', cancel: 'canceled', expire: 'expired' },
  pending: { await: 'pending', pay: 'paid', cancel: 'canceled', expire: 'expired' },
  paid: { reopen: 'pending' },
  canceled: {},
  expired: {},
})
export type OrderStatus = StateOf<typeof orderStates>

/** The largest amount of a line, in minor units: 99,999,999.99. */
export const mostPerLine = 9_999_999_999n

export type LineKind =
  | 'one_off_product'
  | 'subscription_plan'
  | 'subscription'
  | 'auth_request_product'
  | 'billing_details_verification'

/** The terms before and after a subscription change. Null: unchanged. */
export interface TermsChange {
  /** By name. */
  readonly plan: Replaced<string> | null
  readonly quantity: Replaced<number> | null
  /** The unit price, a decimal. Includes tax if the subscription's prices are inclusive. */
  readonly price: (Replaced<string> & { readonly withTax: boolean }) | null
}

interface Replaced<Value> {
  readonly from: Value
  readonly to: Value
}

/** Details of a line that only the invoice shows. */
export interface InvoiceDetails {
  /** Replaces the description, in the buyer's language. */
  readonly description: string | null
  /** The service period: from a time up to, and not including, another time. */
  readonly service: { readonly from: Date; readonly until: Date } | null
  readonly change: TermsChange | null
}

/** The descriptions of a line: for the API, and for the invoice where they differ. */
export interface Described {
  readonly description: string
  readonly invoiceDescription: string | null
}

export interface OrderLine {
  readonly id: string
  readonly description: string
  readonly quantity: number
  /** Per unit before tax: a decimal with two to eight decimals. */
  readonly basePrice: string
  readonly subtotal: bigint
  readonly total: bigint
  readonly taxes: readonly TaxAmount[]
  readonly productType: LineKind | null
  readonly productId: string | null
  /** The metadata of the product in its checkout, as JSON. */
  readonly metadata: string | null
  /** Null without further details. */
  readonly onInvoice: InvoiceDetails | null
}

export type CustomerDetails = BillingDetails & { readonly email: string | null }

/** The merchant of record, as of the order's creation. */
export interface Seller {
  readonly name: string
  readonly street: string
  readonly postalCode: string
  readonly city: string
  readonly country: string
  readonly vatId: string | null
  /** Absent if the seller states none. */
  readonly email?: string | null
}

/** A currency in which the law requires the VAT amount, with its rate on the day of the sale. */
interface VatStatedIn extends ExchangeRate {
  readonly currency: StatedCurrency
}

export interface Order {
  readonly id: string
  readonly testmode: boolean
  readonly checkoutId: string | null
  /** For a renewal, a change, or a verification. A first sale has a checkout instead. */
  readonly subscriptionId: string | null
  readonly customerId: string | null
  /** For a credit note: the credited order. */
  readonly creditedOrderId: string | null
  /** For a replacement invoice without tax: the paid order. */
  readonly replacesOrderId: string | null
  /** For a paid order: the replacement of its invoice. The order keeps the paid amounts. */
  readonly replacedById: string | null
  readonly status: OrderStatus
  readonly paymentMethod: PaymentMethod | null
  readonly currency: Currency
  /** The rate that converted the prices. Null for an order in EUR. */
  readonly exchangeRate: ExchangeRate | null
  /** Additional currencies in which the document states the VAT. Null before the payment. */
  readonly vatStatedIn: readonly VatStatedIn[] | null
  readonly taxBehavior: 'exclusive' | 'inclusive'
  readonly subtotal: bigint
  readonly total: bigint
  /** The sum of refunds and chargebacks, before tax. */
  readonly reversedSubtotal: bigint
  /** The sum of unfinished refunds (pending, queued, processing), before tax. */
  readonly refundingSubtotal: bigint
  readonly taxSummary: readonly TaxAmount[]
  readonly lines: readonly OrderLine[]
  readonly customerDetails: CustomerDetails
  readonly seller: Seller
  readonly locale: Locale
  /** The subject of a consumer's right of withdrawal, and whether the supply began at once. Null without the right. */
  readonly withdrawal: { readonly kind: WithdrawalKind; readonly beginsAtOnce: boolean } | null
  readonly metadata: string | null
  readonly invoice: { readonly scope: string; readonly number: string } | null
  readonly createdAt: Date
  readonly paidAt: Date | null
  /** When the buyer's details on its invoice were updated last. */
  readonly correctedAt: Date | null
}

/** Whether the buyer owes a completed sale again, because the bank returned the payment. */
export const isOwedSale = ({
  checkoutId,
  status,
  invoice,
}: Pick<Order, 'checkoutId' | 'status' | 'invoice'>): boolean =>
  checkoutId !== null && status === 'pending' && invoice !== null

/** The fields that the API response of an order is computed from. */
export type ShownOrder = Pick<
  Order,
  | 'id'
  | 'testmode'
  | 'subscriptionId'
  | 'customerId'
  | 'creditedOrderId'
  | 'replacesOrderId'
  | 'status'
  | 'paymentMethod'
  | 'currency'
  | 'subtotal'
  | 'total'
  | 'reversedSubtotal'
  | 'refundingSubtotal'
  | 'taxSummary'
  | 'customerDetails'
  | 'metadata'
  | 'invoice'
  | 'createdAt'
  | 'paidAt'
> & {
  readonly lines: readonly ShownLine[]
  /** Null unless the order is in recovery. */
  readonly paymentFailure: PaymentFailure | null
}
export type ShownLine = Omit<OrderLine, 'onInvoice'>

/** The defaults of every unpaid order. */
export const orderDefaults = {
  status: 'created',
  creditedOrderId: null,
  replacesOrderId: null,
  replacedById: null,
  reversedSubtotal: 0n,
  refundingSubtotal: 0n,
  invoice: null,
  paidAt: null,
  correctedAt: null,
  withdrawal: null,
  vatStatedIn: null,
} as const satisfies Partial<Order>

/** An order over 0.00 that verifies the payment method of a subscription. */
export const isVerification = ({ subscriptionId, lines }: Pick<Order, 'subscriptionId' | 'lines'>): boolean =>
  subscriptionId !== null && lines.some(({ productType }) => productType === 'billing_details_verification')

/** Whether an order is a sale, not a credit note or a replacement invoice. */
export const isSale = ({
  creditedOrderId,
  replacesOrderId,
}: Pick<Order, 'creditedOrderId' | 'replacesOrderId'>): boolean => creditedOrderId === null && replacesOrderId === null

/** The kind of an order in a list. A credit note reduces the sum of sales, and a replacement adds to the sum. */
export const kindOf = ({ creditedOrderId, replacesOrderId }: Pick<Order, 'creditedOrderId' | 'replacesOrderId'>) => {
  if (creditedOrderId !== null) return 'credit_note'
  return replacesOrderId === null ? 'sale' : 'replacement'
}

type Paid = Pick<Order, 'id' | 'status' | 'paidAt'>

/** The time of payment, which is the date of the invoice or credit note. Throws for an unpaid order. */
export function paidAtOf({ id, status, paidAt }: Paid): Date {
  if (!paidAt) throw new Error(`${id} is ${status}, not paid`)
  return paidAt
}

/** The number of an order's invoice or credit note. Throws for an order without a document, such as an order over 0.00. */
export function documentNumber({ id, invoice }: Pick<Order, 'id' | 'invoice'>): string {
  if (!invoice) throw new Error(`${id} has no invoice`)
  return invoice.number
}

/** The refundable amount before tax, in minor units. Zero for an unpaid order, and for an order that is not a sale. */
export const refundableSubtotal = (order: Omit<ShownOrder, 'paymentFailure'>): bigint =>
  order.status === 'paid' && isSale(order) ? order.subtotal - order.reversedSubtotal - order.refundingSubtotal : 0n
