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
 * `created` until the payment is at the provider, and `pending` while it is, also between a decline and the next
 * attempt. A paid order is open again, with its invoice, if the bank returns the direct debit.
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

/** Null: unchanged. */
export interface TermsChange {
  readonly plan: Replaced<string> | null
  readonly quantity: Replaced<number> | null
  /** The unit price, a decimal. Includes tax if the subscription's prices are inclusive. */
  readonly price: (Replaced<string> & { readonly withTax: boolean }) | null
}

interface Replaced<Value> {
  readonly from: Value
  readonly to: Value
}

export interface InvoiceDetails {
  /** Replaces the description. */
  readonly description: string | null
  /** From a time up to, and not including, another time. */
  readonly service: { readonly from: Date; readonly until: Date } | null
  readonly change: TermsChange | null
}

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
  readonly metadata: string | null
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
  /** Null for a first sale, which has a checkout instead. */
  readonly subscriptionId: string | null
  readonly customerId: string | null
  readonly creditedOrderId: string | null
  readonly replacesOrderId: string | null
  /** The order keeps the paid amounts. */
  readonly replacedById: string | null
  readonly status: OrderStatus
  readonly paymentMethod: PaymentMethod | null
  readonly currency: Currency
  /** Null for an order in EUR. */
  readonly exchangeRate: ExchangeRate | null
  /** Null before the payment. */
  readonly vatStatedIn: readonly VatStatedIn[] | null
  readonly taxBehavior: 'exclusive' | 'inclusive'
  readonly subtotal: bigint
  readonly total: bigint
  /** Before tax. */
  readonly reversedSubtotal: bigint
  /** Unfinished refunds (pending, queued, processing), before tax. */
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
  readonly correctedAt: Date | null
}

/** The bank returned the payment of a completed sale. */
export const isOwedSale = ({
  checkoutId,
  status,
  invoice,
}: Pick<Order, 'checkoutId' | 'status' | 'invoice'>): boolean =>
  checkoutId !== null && status === 'pending' && invoice !== null

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

export const isSale = ({
  creditedOrderId,
  replacesOrderId,
}: Pick<Order, 'creditedOrderId' | 'replacesOrderId'>): boolean => creditedOrderId === null && replacesOrderId === null

/** A credit note reduces the sum of sales, and a replacement adds to the sum. */
export const kindOf = ({ creditedOrderId, replacesOrderId }: Pick<Order, 'creditedOrderId' | 'replacesOrderId'>) => {
  if (creditedOrderId !== null) return 'credit_note'
  return replacesOrderId === null ? 'sale' : 'replacement'
}

type Paid = Pick<Order, 'id' | 'status' | 'paidAt'>

/** Throws for an unpaid order. */
export function paidAtOf({ id, status, paidAt }: Paid): Date {
  if (!paidAt) throw new Error(`${id} is ${status}, not paid`)
  return paidAt
}

/** Throws for an order without a document, such as an order over 0.00. */
export function documentNumber({ id, invoice }: Pick<Order, 'id' | 'invoice'>): string {
  if (!invoice) throw new Error(`${id} has no invoice`)
  return invoice.number
}

/** Before tax, in minor units. Zero for an unpaid order, and for an order that is not a sale. */
export const refundableSubtotal = (order: Omit<ShownOrder, 'paymentFailure'>): bigint =>
  order.status === 'paid' && isSale(order) ? order.subtotal - order.reversedSubtotal - order.refundingSubtotal : 0n
