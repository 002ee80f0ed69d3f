import type { BuyerField, FieldProblem } from '../../checkouts/page.ts'
import { problemOf, readForm } from '../../checkouts/rules/index.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import type { Subscription } from '../../subscriptions/rules/index.ts'
import { type DetailField, detailFields } from '../page.ts'

export type DetailsForm = Record<DetailField, string>

const each = <Value>(get: (field: DetailField) => Value) =>
  Object.fromEntries(detailFields.map((field) => [field, get(field)])) as Record<DetailField, Value>

export function readDetails(values: { get(name: string): string | null }): DetailsForm {
  const form = readForm(values)
  return each((field) => form[field])
}

/** Returns the problems by field. `alsoRequired` adds fields that must not be empty. */
export function detailProblems(
  form: DetailsForm,
  alsoRequired: readonly BuyerField[] = [],
): Partial<Record<DetailField, FieldProblem>> {
  const problems = Object.entries(
    each((field) => problemOf(field, form[field], { country: form.country, alsoRequired })),
  )
  return Object.fromEntries(problems.filter(([, problem]) => problem !== null))
}

export const detailsForm = (details: Partial<BillingDetails>): DetailsForm => each((field) => details[field] ?? '')

export const sameDetails = (a: BillingDetails, b: BillingDetails): boolean =>
  detailFields.every((field) => a[field] === b[field])

export const withDetails = (subscriptions: readonly Subscription[], details: BillingDetails): Subscription[] =>
  subscriptions
    .filter(({ status, billingAddress }) => status !== 'canceled' && !sameDetails(details, billingAddress))
    .map((subscription) => ({ ...subscription, billingAddress: details }))
