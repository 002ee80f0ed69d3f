import { sameDetails } from '../../billing-updates/rules/details.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { type CustomerDetails, type Order, paidAtOf } from '../../orders/rules/order.ts'

/** Version 1 has the details of the issued invoice. */
export interface InvoiceVersion {
  readonly version: number
  readonly details: CustomerDetails
  readonly issuedAt: Date
}

/** Returns the changed order and the version to store (`former`), or null if nothing changes. `earlier` is the number of versions that are already stored. */
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
