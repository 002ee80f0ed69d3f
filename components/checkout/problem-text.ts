import { postalCodeExample } from '@/lib/kernel/postal-codes.ts'
import { type BuyerField, buyerFields, type FieldProblem } from '@/lib/modules/checkouts/page.ts'
import type { Words } from './details-text.ts'

interface RefusedField {
  field: BuyerField
  /** The text next to the field. It says what the buyer must do. */
  text: string
  /** The text in the error summary, which always includes the name of the field. */
  listed: string
}

/** Returns the texts for all refused fields, in form order. `country` selects the example of a postal code. */
export function refusedFields(problems: Problems, country: string, t: Words): RefusedField[] {
  return buyerFields.flatMap((field) => {
    const problem = problems[field]
    if (!problem) return []
    const own = ownText(field, problem, country, t)
    if (own) return [{ field, text: own, listed: own }]
    const text = generalText(problem, t)
    return [{ field, text, listed: t('problems.listed', { field: t(`checkout.${labels[field]}`), text }) }]
  })
}

function generalText(problem: FieldProblem, t: Words): string {
  switch (problem.code) {
    case 'too_long':
      return t('problems.anyField.tooLong', { limit: problem.limit })
    case 'not_registered':
      return t('problems.anyField.notRegistered')
    case 'contradicted':
      return t('problems.country.contradicted')
    default:
      return t(`problems.anyField.${problem.code}`)
  }
}

type Problems = Partial<Record<BuyerField, FieldProblem>>

/** The label of each field, as a message key below `checkout`. */
export const labels = {
  email: 'details.email',
  country: 'details.country',
  fullName: 'details.fullName',
  companyName: 'company.companyName',
  taxId: 'company.taxId',
  streetAndNumber: 'address.streetAndNumber',
  streetAdditional: 'address.streetAdditional',
  postalCode: 'address.postalCode',
  city: 'address.city',
  region: 'address.region',
  currency: 'payment.currency',
  paymentMethod: 'payment.heading',
} as const satisfies Record<BuyerField, string>

/** The specific sentence for a field and problem, or null if the general sentence fits. */
function ownText(field: BuyerField, problem: FieldProblem, country: string, t: Words): string | null {
  switch (`${field}.${problem.code}` as const) {
    case 'email.required':
      return t('problems.email.required')
    case 'email.invalid':
      return t('problems.email.invalid')
    case 'country.required':
      return t('problems.country.required')
    case 'country.contradicted':
      return t('problems.country.contradicted')
    case 'country.unknown':
    case 'country.invalid':
      return t('problems.country.unknown')
    case 'fullName.required':
      return t('problems.fullName.required')
    case 'companyName.required':
      return t('problems.companyName.required')
    case 'streetAndNumber.required':
      return t('problems.streetAndNumber.required')
    case 'city.required':
      return t('problems.city.required')
    case 'postalCode.required':
    case 'postalCode.invalid': {
      const example = postalCodeExample(country)
      return example ? t('problems.postalCode.invalid', { example }) : null
    }
    case 'taxId.invalid':
      return t('problems.taxId.invalid')
    case 'currency.unavailable':
      return t('problems.currency.unavailable')
    case 'paymentMethod.required':
      return t('problems.paymentMethod.required')
    case 'paymentMethod.unavailable':
      return t('problems.paymentMethod.unavailable')
    default:
      return null
  }
}
