import { isCountry } from '../../../kernel/countries.ts'
import { customerEmail } from '../../../kernel/email.ts'
import { fitsPostalCode } from '../../../kernel/postal-codes.ts'
import { cleanTaxId } from '../../../kernel/tax-id.ts'
import { isStorableText } from '../../../kernel/text.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { type PaymentMethod, paymentMethods, testMethods } from '../../payments/rules/method.ts'
import { type BuyerField, type BuyerForm, buyerFields, type FieldProblem } from '../page.ts'

export interface Buyer {
  readonly email: string
  readonly details: BillingDetails
  readonly currency: string
  readonly paymentMethod: PaymentMethod | null
}

const usuallyRequired: readonly BuyerField[] = ['email', 'fullName', 'country', 'paymentMethod']

/**
 * An order without any charge has no invoice, so an email address is enough. A free subscription also needs the country for the tax, because the
 * subscription can get a price later.
 */
const requiredOf = ({ asksForMethod, sellsSubscription }: Asked): readonly BuyerField[] =>
  asksForMethod ? usuallyRequired : sellsSubscription ? ['email', 'country'] : ['email']

interface Asked {
  readonly asksForMethod: boolean
  readonly sellsSubscription: boolean
}

const limits: Readonly<Record<BuyerField, number>> = {
  email: 254,
  country: 2,
  fullName: 255,
  companyName: 255,
  taxId: 50,
  streetAndNumber: 255,
  streetAdditional: 255,
  postalCode: 20,
  city: 255,
  region: 255,
  currency: 3,
  paymentMethod: 20,
}

export function readForm(values: { get(name: string): string | null }): BuyerForm {
  const form = Object.fromEntries(buyerFields.map((field) => [field, cleaned(values.get(field))])) as BuyerForm
  return { ...form, taxId: cleanTaxId(form.taxId) }
}

/**
 * Returns the problems by field. An invalid tax ID is not a problem, because the buyer then pays tax like a buyer without a tax ID. `alsoRequired` lists
 * additional required fields of a sale with a charge.
 */
export function formProblems(
  form: BuyerForm,
  {
    alsoRequired = [],
    onOffer,
    ...asked
  }: Asked & { alsoRequired?: readonly BuyerField[]; onOffer?: readonly PaymentMethod[] },
): Partial<Record<BuyerField, FieldProblem>> {
  const problems: Partial<Record<BuyerField, FieldProblem>> = {}
  const needed = { required: requiredOf(asked), alsoRequired: asked.asksForMethod ? alsoRequired : [] }
  for (const field of buyerFields) {
    if (field === 'paymentMethod' && !asked.asksForMethod) continue
    const problem = problemOf(field, form[field], { country: form.country, ...needed, ...(onOffer && { onOffer }) })
    if (problem) problems[field] = problem
  }
  return problems
}

export function buyerOf(form: BuyerForm, { asksForMethod }: { asksForMethod: boolean }): Buyer {
  const { email, currency, paymentMethod, ...details } = form
  return {
    email: customerEmail(email) ?? email,
    details: detailsOf(details),
    currency,
    paymentMethod: asksForMethod ? (paymentMethod as PaymentMethod) : null,
  }
}

export const detailsOf = (form: Readonly<Record<keyof BillingDetails, string>>): BillingDetails =>
  Object.fromEntries(Object.entries(form).map(([field, value]) => [field, value || null])) as BillingDetails

/** `country` decides how a postal code is checked. */
export function problemOf(
  field: BuyerField,
  value: string,
  {
    country = '',
    required = usuallyRequired,
    alsoRequired = [],
    onOffer = testMethods,
  }: {
    country?: string
    required?: readonly BuyerField[]
    alsoRequired?: readonly BuyerField[]
    onOffer?: readonly PaymentMethod[]
  } = {},
): FieldProblem | null {
  if (value === '') return [...required, ...alsoRequired].includes(field) ? { code: 'required' } : null
  if (field === 'country') return isCountry(value) ? null : { code: 'unknown' }
  if ([...value].length > limits[field]) return { code: 'too_long', limit: limits[field] }
  if (!isStorableText(value)) return { code: 'invalid' }
  if (field === 'email') return customerEmail(value) === null ? { code: 'invalid' } : null
  if (field === 'postalCode') return fitsPostalCode(value, country) ? null : { code: 'invalid' }
  if (field !== 'paymentMethod') return null
  if (!(paymentMethods as readonly string[]).includes(value)) return { code: 'unknown' }
  return (onOffer as readonly string[]).includes(value) ? null : { code: 'unavailable' }
}

/** Removes blanks at the ends and characters that PostgreSQL cannot store, and cuts the text to 1,000 characters. */
const cleaned = (value: string | null): string =>
  (value ?? '').replaceAll('\u0000', '').trim().slice(0, 1000).toWellFormed()
