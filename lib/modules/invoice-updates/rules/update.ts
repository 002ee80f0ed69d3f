import { sameDetails } from '../../billing-updates/rules/details.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { type CustomerDetails, type Order, paidAtOf } from '../../orders/rules/order.ts'

/** Version 1 is what was issued. */
export interface InvoiceVersion {
  readonly version: number
  readonly details: CustomerDetails
  readonly issuedAt: Date
}

/**
 * Returns the order with the new details, and the previous details as the version after the `earlier` ones. Null if
 * nothing changes. Amounts, number, date, and email address stay.
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

export const currentVersion = (order: Order, earlier: number): InvoiceVersion => ({
  version: earlier + 1,
  details: order.customerDetails,
  issuedAt: order.correctedAt ?? paidAtOf(order),
})
