import type { Locale } from '../../../kernel/locale.ts'
import { type Order, type OrderLine, orderDefaults, type Seller } from '../../orders/rules/order.ts'
import type { Subscription } from '../../subscriptions/rules/index.ts'
import type { Buyer } from './buyer.ts'
import { type Checkout, isTrial } from './checkout.ts'
import type { PricedLine, Sale } from './quote.ts'

/** Returns the unpaid order of a sale. `lineIds` has one id per line. `id` stays the same if the buyer submits the form again. */
export function orderOfSale(sale: {
  checkout: Checkout
  quote: Sale
  buyer: Buyer
  seller: Seller
  locale: Locale
  withdrawal: Order['withdrawal']
  id: string
  createdAt: Date
  lineIds: readonly string[]
  verification: string
}): Order {
  const { checkout, quote, buyer } = sale
  const { due, currency, exchangeRate } = quote
  return {
    ...orderDefaults,
    id: sale.id,
    testmode: checkout.testmode,
    checkoutId: checkout.id,
    subscriptionId: null,
    customerId: checkout.customerId,
    paymentMethod: buyer.paymentMethod,
    currency,
    exchangeRate,
    taxBehavior: checkout.taxBehavior,
    subtotal: due.subtotal,
    total: due.total,
    taxSummary: due.taxSummary,
    lines: soldLines(quote, sale.verification).map((line, index) => ({ id: sale.lineIds[index] ?? '', ...line })),
    customerDetails: { ...buyer.details, email: buyer.email },
    seller: sale.seller,
    locale: sale.locale,
    withdrawal: sale.withdrawal,
    metadata: checkout.metadata,
    createdAt: sale.createdAt,
  }
}

export const soldLines = ({ due }: Pick<Sale, 'due'>, verification: string): Omit<OrderLine, 'id'>[] =>
  due.lines.map((line) => ({
    quantity: line.quantity,
    basePrice: line.basePrice,
    subtotal: line.subtotal,
    total: line.total,
    taxes: line.taxes,
    onInvoice: null,
    ...soldBy(line, verification),
  }))

/** Replaces the plan of each order line with the subscription that the sale created for the line. */
export function withSubscriptions(
  order: Order,
  checkout: Checkout,
  subscriptions: readonly Subscription[],
): OrderLine[] {
  const billed = checkout.lines.filter((line) => !isTrial(line))
  return order.lines.map((line, index) => {
    const subscription = subscriptions.find((each) => each.checkoutLineId === billed[index]?.id)
    return subscription ? { ...line, productType: 'subscription', productId: subscription.id } : line
  })
}

export const withServicePeriods = (order: Order, started: readonly Subscription[]): OrderLine[] =>
  order.lines.map((line) => {
    const period = started.find(({ id }) => id === line.productId)?.period
    if (!period) return line
    const service = { from: period.startAt, until: period.endAt }
    return { ...line, onInvoice: { description: null, service, change: null } }
  })

const soldBy = (
  { source }: PricedLine,
  verification: string,
): Pick<OrderLine, 'description' | 'productType' | 'productId' | 'metadata'> =>
  source
    ? {
        description: source.name,
        productType: source.billingInterval ? 'subscription_plan' : 'one_off_product',
        productId: source.productId,
        metadata: source.metadata,
      }
    : { description: verification, productType: 'auth_request_product', productId: null, metadata: null }
