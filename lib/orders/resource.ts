import type { z } from 'zod'
import { toWire } from '../kernel/moment.ts'
import type { Currency } from '../kernel/money.ts'
import { apiLink, pageLink } from '../platform/links.ts'
import { linkToken } from '../platform/sealed.ts'
import { wireBillingAddress, wireMetadata, wireMoney } from '../platform/shapes.ts'
import type { TaxAmount } from '../tax/rules/index.ts'
import type { OrderShape } from './contract.ts'
import { type Order, refundableSubtotal } from './rules/order.ts'

/** Where the buyer finds the invoice: no login, but an address nobody guesses. */
export const invoicePath = (orderId: string): string => `/invoices/${linkToken('invoice', orderId)}`

const wireTax = (currency: Currency, { rate, amount }: TaxAmount) => ({
  taxRate: { name: rate.name, percentage: Number(rate.percentage), taxablePercentage: 100 },
  amount: wireMoney({ minor: amount, currency }),
})

export function orderResource(order: Order): z.infer<typeof OrderShape> {
  const money = (minor: bigint) => wireMoney({ minor, currency: order.currency })
  return {
    id: order.id,
    resource: 'order',
    testmode: order.testmode,
    customerId: order.customerId,
    metadata: wireMetadata(order.metadata),
    paymentMethod: order.paymentMethod,
    status: order.status,
    invoiceNumber: order.invoice?.number ?? null,
    total: money(order.total),
    subtotal: money(order.subtotal),
    reversedSubtotal: money(order.reversedSubtotal),
    refundableSubtotal: money(refundableSubtotal(order)),
    taxSummary: order.taxSummary.map((tax) => wireTax(order.currency, tax)),
    lines: order.lines.map((line) => ({
      id: line.id,
      resource: 'orderline',
      description: line.description,
      quantity: line.quantity,
      basePrice: { value: line.basePrice, currency: order.currency },
      total: money(line.total),
      subtotal: money(line.subtotal),
      taxes: line.taxes.map((tax) => wireTax(order.currency, tax)),
      productType: line.productType,
      productId: line.productId,
    })),
    customerDetails: { ...wireBillingAddress(order.customerDetails), email: order.customerDetails.email },
    createdAt: toWire(order.createdAt),
    links: {
      self: apiLink(`/orders/${order.id}`),
      customer: order.customerId === null ? null : apiLink(`/customers/${order.customerId}`),
      ...(order.invoice && { customerInvoice: pageLink(invoicePath(order.id)) }),
    },
  }
}
