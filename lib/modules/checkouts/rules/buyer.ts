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
  /** Null if nothing will ever be charged. */
  readonly paymentMethod: PaymentMethod | null
}

const usuallyRequired: readonly BuyerField[] = ['email', 'fullName', 'country', 'paymentMethod']

/**
 * The required fields. Where nothing will ever be charged there is no invoice, and the email address is enough. A
 * subscription needs the country too: its price may change later, and tax depends on the country.
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
 * An invalid tax ID is no problem: tax is charged then. Where something is charged, `alsoRequired` lists additional
 * required fields. Where the page asks for no payment method, a sent method is ignored.
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

/** A postal code is checked by the form's country, a method by what the provider accepts. */
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

/** Removes outer blanks and characters that the database would refuse; the draft keeps the rest as typed. */
const cleaned = (value: string | null): string =>
  (value ?? '').replaceAll('\u0000', '').trim().slice(0, 1000).toWellFormed()
