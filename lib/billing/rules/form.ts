import { type PaymentMethod, paymentMethods } from '../../checkouts/page.ts'
import { detailsOf, problemOf, readForm } from '../../checkouts/rules/index.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { type BillingForm, billingFields } from '../page.ts'
import type { BillingDraft, BillingLink } from './link.ts'

/** What a submitted form holds, trimmed; '' for a field that is missing. The rules of its fields are the checkout's. */
export function readBillingForm(values: { get(name: string): string | null }): BillingForm {
  const form = readForm(values)
  return Object.fromEntries(billingFields.map((field) => [field, form[field]])) as BillingForm
}

/** Everything that is wrong with a form. `keep` is a choice only where there is something to keep. */
export function billingProblems(form: BillingForm, canKeep: boolean): BillingDraft['problems'] {
  const problems: BillingDraft['problems'] = {}
  for (const field of billingFields) {
    const keeps = field === 'paymentMethod' && form.paymentMethod === 'keep' && canKeep
    const problem = keeps ? null : problemOf(field, form[field])
    if (problem) problems[field] = problem
  }
  return problems
}

/** The details and the new method, null to keep the one there is, of a form without problems. */
export function billingOf({ paymentMethod, ...details }: BillingForm): {
  details: BillingDetails
  method: PaymentMethod | null
} {
  return { details: detailsOf(details), method: paymentMethods.find((each) => each === paymentMethod) ?? null }
}

/** What the form shows first: what the merchant sent, or what is stored. */
export function prefilled(sent: BillingLink['billingAddress'], stored: BillingDetails, canKeep: boolean): BillingForm {
  const address: Partial<BillingDetails> = sent ?? stored
  const form = billingFields.map((field) => [field, field === 'paymentMethod' ? '' : (address[field] ?? '')])
  return { ...(Object.fromEntries(form) as BillingForm), paymentMethod: canKeep ? 'keep' : '' }
}

export const sameDetails = (a: BillingDetails, b: BillingDetails): boolean =>
  billingFields.every((field) => field === 'paymentMethod' || a[field] === b[field])
