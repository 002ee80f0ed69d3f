import type { Words } from '@/components/checkout/details-text.ts'
import { refusedFields } from '@/components/checkout/problem-text.ts'
import type { FieldProblem } from '@/lib/modules/checkouts/page.ts'
import type { InvoiceUpdateField, InvoiceUpdatePage } from '@/lib/modules/invoice-updates/page.ts'

type OpenPage = Extract<InvoiceUpdatePage, { state: 'open' }>

export function refusedDetails({ form, problems, needsTaxId, taxIdPrefix }: OpenPage, t: Words) {
  const { useForLaterOrders: _, ...details } = problems
  const refused = refusedFields(details, form.country, t).map((each) => {
    const own = ownText(each.field, problems[each.field as InvoiceUpdateField], needsTaxId, taxIdPrefix, t)
    return own ? { ...each, text: own, listed: own } : each
  })
  return refused.sort((a, b) => places.indexOf(a.field) - places.indexOf(b.field))
}

const places: readonly string[] = [
  'fullName',
  'streetAndNumber',
  'streetAdditional',
  'postalCode',
  'city',
  'region',
  'country',
  'companyName',
  'taxId',
]

/** The sentence for an invoice update, or null if the sentence of the checkout fits. */
function ownText(
  field: string,
  problem: FieldProblem | undefined,
  needsTaxId: boolean,
  code: string | null,
  t: Words,
): string | null {
  switch (`${field}.${problem?.code}`) {
    case 'country.unavailable':
      return t('invoiceUpdate.problems.country')
    case 'postalCode.unavailable':
      return t('invoiceUpdate.problems.postalCode')
    case 'taxId.required':
      return t('invoiceUpdate.problems.taxIdRequired')
    case 'taxId.invalid':
      if (code === null) return null
      return needsTaxId
        ? t('invoiceUpdate.problems.taxIdInvalidNeeded', { code })
        : t('invoiceUpdate.problems.taxIdInvalid', { code })
    default:
      return null
  }
}
