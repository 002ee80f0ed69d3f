import type { z } from 'zod'
import { hostedPath } from '../../kernel/hosted-pages.ts'
import { toWire } from '../../kernel/moment.ts'
import type { Currency } from '../../kernel/money.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { apiLink, pageLink } from '../../platform/http/links.ts'
import { wireBillingAddress, wireMetadata, wireMoney } from '../../platform/http/shapes.ts'
import type { PaymentFailure } from '../recovery/rules/index.ts'
import type { TaxAmount } from '../tax/rules/index.ts'
import type { OrderShape } from './contract.ts'
import { type Order, refundableSubtotal, type ShownLine, type ShownOrder } from './rules/order.ts'

/** The invoice page needs no login, because its path contains an unguessable token. */
export const invoicePath = (orderId: string): string => hostedPath('invoices', linkToken('invoice', orderId))
export const ublPath = (orderId: string): string => `${invoicePath(orderId)}/ubl`

export const wireTaxes = (currency: Currency, taxes: readonly TaxAmount[]) =>
  taxes.map(({ rate, amount }) => ({
    taxRate: { name: rate.name, percentage: Number(rate.percentage), taxablePercentage: 100 },
    amount: wireMoney({ minor: amount, currency }),
  }))

export const wireLine = (
  currency: Currency,
  line: Omit<ShownLine, 'id' | 'productType' | 'productId' | 'metadata'>,
) => ({
  description: line.description,
  quantity: line.quantity,
  basePrice: { value: line.basePrice, currency },
  total: wireMoney({ minor: line.total, currency }),
  subtotal: wireMoney({ minor: line.subtotal, currency }),
  taxes: wireTaxes(currency, line.taxes),
})

const wirePaymentFailure = (failure: PaymentFailure | null) =>
  failure && {
    failureReason: failure.failureReason,
    declineType: failure.declineType,
    failedAt: toWire(failure.failedAt),
    nextAttemptAt: failure.nextAttemptAt && toWire(failure.nextAttemptAt),
  }

export const settledOrder = (order: Order) => orderResource({ ...order, paymentFailure: null })

const orderLine = (currency: Currency, line: Omit<ShownLine, 'id'>) => ({
  resource: 'orderline' as const,
  ...wireLine(currency, line),
  productType: line.productType,
  productId: line.productId,
  metadata: wireMetadata(line.metadata),
})

export const wireQuote = ({ currency, lines, subtotal, taxSummary, total }: Quoted) => ({
  lines: lines.map((line) => orderLine(currency, line)),
  subtotal: wireMoney({ minor: subtotal, currency }),
  taxSummary: wireTaxes(currency, taxSummary),
  total: wireMoney({ minor: total, currency }),
})

type Quoted = Pick<ShownOrder, 'currency' | 'subtotal' | 'taxSummary' | 'total'> & {
  readonly lines: readonly Omit<ShownLine, 'id'>[]
}

export function orderResource(order: ShownOrder): z.infer<typeof OrderShape> {
  const money = (minor: bigint) => wireMoney({ minor, currency: order.currency })
  const self = apiLink(`/orders/${order.id}`)
  return {
    id: order.id,
    resource: 'order',
    testmode: order.testmode,
    customerId: order.customerId,
    metadata: wireMetadata(order.metadata),
    paymentMethod: order.paymentMethod,
    status: order.status,
    paymentFailure: wirePaymentFailure(order.paymentFailure),
    invoiceNumber: order.invoice?.number ?? null,
    creditedOrderId: order.creditedOrderId,
    replacesOrderId: order.replacesOrderId,
    total: money(order.total),
    subtotal: money(order.subtotal),
    reversedSubtotal: money(order.reversedSubtotal),
    refundableSubtotal: money(refundableSubtotal(order)),
    taxSummary: wireTaxes(order.currency, order.taxSummary),
    lines: order.lines.map((line) => ({
      id: line.id,
      ...orderLine(order.currency, line),
      links: { order: self, product: productLink(line) },
    })),
    customerDetails: { ...wireBillingAddress(order.customerDetails), email: order.customerDetails.email },
    createdAt: toWire(order.createdAt),
    links: {
      self,
      customer: order.customerId === null ? null : apiLink(`/customers/${order.customerId}`),
      ...(order.invoice && { customerInvoice: pageLink(invoicePath(order.id)) }),
    },
  }
}

const productPaths = {
  one_off_product: '/one-off-products/',
  subscription_plan: '/subscription-plans/',
  subscription: '/subscriptions/',
} as const

function productLink({ productType, productId }: Pick<ShownLine, 'productType' | 'productId'>) {
  if (productId === null || productType === null || !(productType in productPaths)) return null
  return apiLink(productPaths[productType as keyof typeof productPaths] + productId)
}
