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
 * `created`: the payment is not at the provider yet. `pending`: the payment is at the provider, or it was declined and will be attempted again. If
 * the bank returns the direct debit of a paid order, the order becomes `pending` again and keeps its invoice.
 */
export const orderStates = machine({
  created: { await: 'pending', pay: 'paid', cancel: 'canceled', expire: 'expired' },
  pending: { await: 'pending', pay: 'paid', cancel: 'canceled', expire: 'expired' },
  paid: { reopen: 'pending' },
  canceled: {},
  expired: {},
})
export type OrderStatus = StateOf<typeof orderStates>

/** 99,999,999.99 in minor units. */
export const mostPerLine = 9_999_999_999n

export type LineKind =
  | 'one_off_product'
  | 'subscription_plan'
  | 'subscription'
  | 'auth_request_product'
  | 'billing_details_verification'

export interface TermsChange {
  readonly plan: Replaced<string> | null
  readonly quantity: Replaced<number> | null
  /** The unit price as a decimal. It includes tax if the subscription's prices include tax. */
  readonly price: (Replaced<string> & { readonly withTax: boolean }) | null
}

interface Replaced<Value> {
  readonly from: Value
  readonly to: Value
}

export interface InvoiceDetails {
  readonly description: string | null
  /** The service period; `until` is exclusive. */
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
  /** The price per unit before tax, with two to eight decimal places. */
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

export interface Seller {
  readonly name: string
  readonly street: string
  readonly postalCode: string
  readonly city: string
  readonly country: string
  readonly vatId: string | null
  readonly email?: string | null
}

/** A currency in which the law requires the VAT amount, with the exchange rate on the day of the sale. */
interface VatStatedIn extends ExchangeRate {
  readonly currency: StatedCurrency
}

export interface Order {
  readonly id: string
  readonly testmode: boolean
  readonly checkoutId: string | null
  /** Null for a credit note, a replacement invoice, and a first sale, which has a checkout instead. */
  readonly subscriptionId: string | null
  readonly customerId: string | null
  readonly creditedOrderId: string | null
  readonly replacesOrderId: string | null
  /** The id of the replacement invoice after a tax correction. This order still states the amounts that were paid. */
  readonly replacedById: string | null
  readonly status: OrderStatus
  readonly paymentMethod: PaymentMethod | null
  readonly currency: Currency
  readonly exchangeRate: ExchangeRate | null
  /** Null before the payment. */
  readonly vatStatedIn: readonly VatStatedIn[] | null
  readonly taxBehavior: 'exclusive' | 'inclusive'
  readonly subtotal: bigint
  readonly total: bigint
  readonly reversedSubtotal: bigint
  /** The amount before tax of unfinished refunds (pending, queued, or processing). */
  readonly refundingSubtotal: bigint
  readonly taxSummary: readonly TaxAmount[]
  readonly lines: readonly OrderLine[]
  readonly customerDetails: CustomerDetails
  readonly seller: Seller
  readonly locale: Locale
  /**
   * A consumer's right of withdrawal: what was sold, and whether the buyer requested an immediate start of the supply.
   * Null if the buyer has no such right.
   */
  readonly withdrawal: { readonly kind: WithdrawalKind; readonly beginsAtOnce: boolean } | null
  readonly metadata: string | null
  readonly invoice: { readonly scope: string; readonly number: string } | null
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly correctedAt: Date | null
}

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

export const isVerification = ({ subscriptionId, lines }: Pick<Order, 'subscriptionId' | 'lines'>): boolean =>
  subscriptionId !== null && lines.some(({ productType }) => productType === 'billing_details_verification')

export const isSale = ({
  creditedOrderId,
  replacesOrderId,
}: Pick<Order, 'creditedOrderId' | 'replacesOrderId'>): boolean => creditedOrderId === null && replacesOrderId === null

export const kindOf = ({ creditedOrderId, replacesOrderId }: Pick<Order, 'creditedOrderId' | 'replacesOrderId'>) => {
  if (creditedOrderId !== null) return 'credit_note'
  return replacesOrderId === null ? 'sale' : 'replacement'
}

type Paid = Pick<Order, 'id' | 'status' | 'paidAt'>

export function paidAtOf({ id, status, paidAt }: Paid): Date {
  if (!paidAt) throw new Error(`${id} is ${status}, not paid`)
  return paidAt
}

/**
 * Returns the number of the order's document. Throws if the order has no document, for example because its total is
 * 0.00.
 */
export function documentNumber({ id, invoice }: Pick<Order, 'id' | 'invoice'>): string {
  if (!invoice) throw new Error(`${id} has no invoice`)
  return invoice.number
}

/** Returns the amount before tax, in minor units, that can still be refunded. It is zero for an unpaid order, a credit note, or a replacement invoice. */
export const refundableSubtotal = (order: Omit<ShownOrder, 'paymentFailure'>): bigint =>
  order.status === 'paid' && isSale(order) ? order.subtotal - order.reversedSubtotal - order.refundingSubtotal : 0n
