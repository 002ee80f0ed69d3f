import { describe, expect, it } from 'vitest'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { anOrder } from '../../orders/examples.ts'
import { currentVersion, updateInvoiceDetails } from './update.ts'

const now = new Date('2026-12-01T09:00:00Z')
const order = anOrder()
const { email, ...said } = order.customerDetails
const details: BillingDetails = { ...said, companyName: 'Engines GmbH' }

describe('update', () => {
  it('an invoice update changes only the buyer’s details on the invoice', () => {
    expect(updateInvoiceDetails(order, details, { earlier: 0, now })?.next).toEqual({
      ...order,
      customerDetails: { ...details, email },
      correctedAt: now,
    })
  })

  it('the first invoice update stores the issued details as version 1 with the date of issue', () => {
    expect(updateInvoiceDetails(order, details, { earlier: 0, now })?.former).toEqual({
      version: 1,
      details: order.customerDetails,
      issuedAt: order.paidAt,
    })
  })

  it('a later invoice update stores the details of the previous update as the next version', () => {
    const corrected = anOrder({ correctedAt: now })
    const later = new Date('2026-12-02T09:00:00Z')
    expect(updateInvoiceDetails(corrected, details, { earlier: 3, now: later })?.former).toMatchObject({
      version: 4,
      issuedAt: now,
    })
    expect(currentVersion(corrected, 3)).toEqual({ version: 4, details: order.customerDetails, issuedAt: now })
  })

  it('updateInvoiceDetails() returns null for an update without a change', () => {
    expect(updateInvoiceDetails(order, { ...said }, { earlier: 0, now })).toBeNull()
  })
})
