import type { CompanyDetails } from '../../checkouts/page.ts'
import { detailsOf, fieldsRequiredBy, problemOf, readForm } from '../../checkouts/rules/index.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { type PaymentMethod, paymentMethods, testMethods } from '../../payments/rules/method.ts'
import type { BillingUpdateForm } from '../page.ts'
import { detailProblems, detailsForm, readDetails } from './details.ts'
import type { BillingUpdateDraft, BillingUpdateLink } from './link.ts'

export const readBillingUpdateForm = (values: { get(name: string): string | null }): BillingUpdateForm => ({
  ...readDetails(values),
  paymentMethod: readForm(values).paymentMethod,
})

/** Returns the problems by field. The payment method `keep` is valid only if `canKeep` is set. A method is required only if `needsMethod` is set. */
export function billingUpdateProblems(
  { paymentMethod, ...details }: BillingUpdateForm,
  {
    canKeep,
    needsMethod,
    companyDetails,
    onOffer = testMethods,
  }: {
    canKeep: boolean
    needsMethod: boolean
    companyDetails: CompanyDetails
    onOffer?: readonly PaymentMethod[]
  },
): BillingUpdateDraft['problems'] {
  const isUnchanged = (paymentMethod === 'keep' && canKeep) || (paymentMethod === '' && !needsMethod)
  const problem = isUnchanged ? null : problemOf('paymentMethod', paymentMethod, { onOffer })
  return {
    ...detailProblems(details, fieldsRequiredBy(companyDetails, details.country)),
    ...(problem && { paymentMethod: problem }),
  }
}

export function billingOf({ paymentMethod, ...details }: BillingUpdateForm): {
  details: BillingDetails
  method: PaymentMethod | null
} {
  return { details: detailsOf(details), method: paymentMethods.find((each) => each === paymentMethod) ?? null }
}

export const prefilled = (
  sent: BillingUpdateLink['billingAddress'],
  stored: BillingDetails,
  canKeep: boolean,
): BillingUpdateForm => ({ ...detailsForm(sent ?? stored), paymentMethod: canKeep ? 'keep' : '' })
