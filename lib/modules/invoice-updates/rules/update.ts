import { sameDetails } from '../../billing-updates/rules/details.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { type CustomerDetails, type Order, paidAtOf } from '../../orders/rules/order.ts'

/** The buyer's details on an invoice from a moment on. Version 1 is what was issued. */
export interface InvoiceVersion {
  readonly version: number
  readonly details: CustomerDetails
  readonly issuedAt: Date
}

/**
 * Replaces the details on the invoice of an order. Returns the order with them, and the previous details as the version
 * after the `earlier` ones. Null if nothing changes. Amounts, number, date and email address stay.
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

/** The current version of an invoice. */
export const currentVersion = (order: Order, earlier: number): InvoiceVersion => ({
  version: earlier + 1,
  details: order.customerDetails,
  issuedAt: order.correctedAt ?? paidAtOf(order),
})
