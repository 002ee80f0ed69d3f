import { type DetailsForm, detailProblems, detailsForm, readDetails } from '../../billing-updates/rules/details.ts'
import type { CompanyDetails } from '../../checkouts/page.ts'
import { companyDetailsFor, detailsOf, fieldsRequiredBy } from '../../checkouts/rules/index.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import type { Order } from '../../orders/rules/order.ts'
import { isReverseCharge, type TaxIdResult, taxFor } from '../../tax/rules/index.ts'
import type { InvoiceUpdateForm } from '../page.ts'
import type { InvoiceUpdateDraft } from './link.ts'

/** The form as it is first shown: the invoice's details, and nothing ticked. */
export const formOf = ({ customerDetails }: Order): InvoiceUpdateForm => ({
  ...detailsForm(customerDetails),
  useForLaterOrders: '',
})

/** The values of a submitted form, trimmed; the invoice's country if the form has none. */
export function readInvoiceUpdate(values: { get(name: string): string | null }, order: Order): InvoiceUpdateForm {
  const details = readDetails(values)
  const useForLaterOrders = isTicked(values.get('useForLaterOrders')) ? 'true' : ''
  return { ...details, country: details.country || formOf(order).country, useForLaterOrders }
}

/** A box is sent only when it is ticked, with any value; a program may also send one that means no. */
const isTicked = (value: string | null): boolean => !['', '0', 'false', 'no', 'off'].includes((value ?? '').trim())

/**
 * What the registry answered about the tax ID of a form, where it was asked: on an invoice whose tax may go back, or whose
 * reverse charge gets another ID.
 */
export type LateTaxId = TaxIdResult | null

/**
 * All problems of a form, by field: the checkout's problems, another country, or a postal code of a part of it that is
 * taxed otherwise (`unavailable`), a tax ID that the mode's rule does not accept (`invalid`) or that the registry does not
 * have (`not_registered`) or, for a reverse charge, did not confirm (`unconfirmed`), and a missing one where the invoice
 * has to show it (`required`), as well as, in live mode, company and address beside it.
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

/** The details of a form without problems, and whether later orders use them. */
export const invoiceUpdateOf = (form: InvoiceUpdateForm): { details: BillingDetails; useForLaterOrders: boolean } => ({
  details: detailsOf(detailsIn(form)),
  useForLaterOrders: form.useForLaterOrders !== '',
})

/**
 * A reverse charge depends on the customer's tax ID: the invoice must show it (Directive 2006/112/EC, art. 226 (4)).
 */
export const needsTaxId = ({ taxSummary }: Order): boolean => isReverseCharge(taxSummary)

/** Whether the invoice has to show the customer's company and address. */
export const companyDetailsOn = (order: Order): CompanyDetails =>
  companyDetailsFor(needsTaxId(order) ? 'reverse_charge' : 'none', order)

/** The postal code decided the tax and the tax return of the sale, so the invoice stays in that area. */
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

/** If tax was charged, an unconfirmed tax ID can be decided later. A reverse charge must be confirmed now. */
function registryProblem(late: LateTaxId, order: Order): 'not_registered' | 'unconfirmed' | null {
  if (late === 'invalid') return 'not_registered'
  return late === 'unknown' && needsTaxId(order) ? 'unconfirmed' : null
}

const detailsIn = ({ useForLaterOrders: _, ...details }: InvoiceUpdateForm): DetailsForm => details
