import { type DetailsForm, detailProblems, detailsForm, readDetails } from '../../billing-updates/rules/details.ts'
import type { CompanyDetails } from '../../checkouts/page.ts'
import { companyDetailsFor, detailsOf, fieldsRequiredBy } from '../../checkouts/rules/index.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import type { Order } from '../../orders/rules/order.ts'
import { isReverseCharge, type TaxIdResult, taxFor } from '../../tax/rules/index.ts'
import type { InvoiceUpdateForm } from '../page.ts'
import type { InvoiceUpdateDraft } from './link.ts'

export const formOf = ({ customerDetails }: Order): InvoiceUpdateForm => ({
  ...detailsForm(customerDetails),
  useForLaterOrders: '',
})

export function readInvoiceUpdate(values: { get(name: string): string | null }, order: Order): InvoiceUpdateForm {
  const details = readDetails(values)
  const useForLaterOrders = isTicked(values.get('useForLaterOrders')) ? 'true' : ''
  return { ...details, country: details.country || formOf(order).country, useForLaterOrders }
}

const isTicked = (value: string | null): boolean => !['', '0', 'false', 'no', 'off'].includes((value ?? '').trim())

/**
 * The registry's result; null if the service did not ask the registry. The service asks the registry when the tax can be refunded, and when the tax ID of
 * a reverse charge changes.
 */
export type LateTaxId = TaxIdResult | null

/**
 * Returns the usual problems of billing details, and these problems, which only an invoice update can have:
 * - `unavailable`: the country, or the tax area of the postal code, differs from the order.
 * - `invalid`: the tax ID is malformed.
 * - `not_registered`: the registry does not have the tax ID.
 * - `unconfirmed`: the registry does not respond, and the sale has a reverse charge.
 * - `required`: the invoice must show the empty field (the tax ID of a reverse charge, and in live mode the company and address).
 */
export function invoiceUpdateProblems(
  form: InvoiceUpdateForm,
  order: Order,
  late: LateTaxId = null,
): InvoiceUpdateDraft['problems'] {
  const taxId = taxIdProblem(form, order) ?? registryProblem(late, order)
  const isElsewhere = form.country !== formOf(order).country
  const isTaxedElsewhere = !staysInPlace(form, order)
  const companyDetails = late === 'valid' ? companyDetailsFor('reverse_charge', order) : companyDetailsOn(order)
  return {
    ...(taxId && { taxId: { code: taxId } }),
    ...(isTaxedElsewhere && { postalCode: { code: 'unavailable' } as const }),
    ...detailProblems(detailsIn(form), fieldsRequiredBy(companyDetails, form.country)),
    ...(isElsewhere && { country: { code: 'unavailable' } as const }),
  }
}

export const invoiceUpdateOf = (form: InvoiceUpdateForm): { details: BillingDetails; useForLaterOrders: boolean } => ({
  details: detailsOf(detailsIn(form)),
  useForLaterOrders: form.useForLaterOrders !== '',
})

/** The invoice of a reverse charge must show the customer's tax ID (Directive 2006/112/EC, art. 226 (4)). */
export const needsTaxId = ({ taxSummary }: Order): boolean => isReverseCharge(taxSummary)

export const companyDetailsOn = (order: Order): CompanyDetails =>
  companyDetailsFor(needsTaxId(order) ? 'reverse_charge' : 'none', order)

/** The postal code decided the tax and the tax return of the sale, so a new postal code must be in the same tax area. */
const staysInPlace = (form: InvoiceUpdateForm, order: Order): boolean =>
  taxFor(order).isSamePlace(formOf(order).country, order.customerDetails.postalCode, form.postalCode)

function taxIdProblem({ taxId }: InvoiceUpdateForm, order: Order): 'required' | 'invalid' | null {
  switch (taxFor(order).taxIdValidity(taxId, formOf(order).country)) {
    case 'none':
      return needsTaxId(order) ? 'required' : null
    case 'not_accepted':
      return 'invalid'
    case 'accepted':
      return null
  }
}

/** If tax was charged, the tax ID can be confirmed later. A reverse charge needs the confirmation before the update is saved. */
function registryProblem(late: LateTaxId, order: Order): 'not_registered' | 'unconfirmed' | null {
  if (late === 'invalid') return 'not_registered'
  return late === 'unknown' && needsTaxId(order) ? 'unconfirmed' : null
}

const detailsIn = ({ useForLaterOrders: _, ...details }: InvoiceUpdateForm): DetailsForm => details
