import { sameDetails } from '../../billing-updates/rules/details.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import type { CustomerDetails, Order } from '../../orders/rules/order.ts'
import type { Subscription } from '../../subscriptions/rules/index.ts'

/** What an invoice said of the buyer, from a moment on. Version 1 is what was issued. */
export interface InvoiceVersion {
  readonly version: number
  readonly details: CustomerDetails
  readonly issuedAt: Date
}

/**
 * Puts other details on the invoice of an order. Answers the order with them, and what stood until now as the version after
 * `earlier` ones; null when nothing changes. Amounts, number, date and e-mail address stay.
 */
export function updateInvoiceDetails(
  order: Order,
  details: BillingDetails,
  { earlier, now }: { earlier: number; now: Date },
): { next: Order; former: InvoiceVersion } | null {
  if (sameDetails(details, order.customerDetails)) return null
  const { email } = order.customerDetails
  return {
    next: { ...order, customerDetails: { ...details, email }, correctedAt: now },
    former: currentVersion(order, earlier),
  }
}

/** What an invoice says now. */
export const currentVersion = (order: Order, earlier: number): InvoiceVersion => ({
  version: earlier + 1,
  details: order.customerDetails,
  issuedAt: order.correctedAt ?? order.paidAt ?? order.createdAt,
})

/** The subscriptions that other details change, with them: not those that are over. */
export const withDetails = (subscriptions: readonly Subscription[], details: BillingDetails): Subscription[] =>
  subscriptions
    .filter(({ status, billingAddress }) => status !== 'canceled' && !sameDetails(details, billingAddress))
    .map((subscription) => ({ ...subscription, billingAddress: details }))
