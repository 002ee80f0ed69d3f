import type { Loaded } from '../../kernel/hosted-pages.ts'
import {
  type DetailsForm,
  detailProblems,
  detailsForm,
  readDetails,
  sameDetails,
} from '../../modules/billing-updates/rules/details.ts'
import {
  companyDetailsFor,
  detailsQuote,
  fieldsRequiredBy,
  taxIdEffectOf,
} from '../../modules/checkouts/rules/index.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import type { PortalDetailsPage } from '../../modules/portal/page.ts'
import { formStateOf } from '../../platform/http/form-state.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { withTaxFacts } from '../tax-ids/check.ts'
import { type Entered, enterPage, inSession } from './enter.ts'
import { runningSubscriptions } from './own-subscription.ts'

export const detailsPath = '/portal/details'

export const loadDetails = async (visitor: Visitor, query: URLSearchParams): Promise<Loaded<PortalDetailsPage>> =>
  inSession(await detailsPage(query.get('form'), visitor), visitor)

export async function detailsPage(formId: string | null, visitor: Visitor): Promise<PortalDetailsPage | null> {
  const entered = await enterPage(visitor)
  const [newest, ...others] = entered ? await runningSubscriptions(entered) : []
  if (!entered || !newest) return null
  const { typed } = formStateOf(entered.session.id, formId, visitor.header('cookie'))
  const isRefused = Object.keys(typed).length > 0
  const form = isRefused ? readDetails(new URLSearchParams(typed)) : detailsForm(newest.billingAddress)
  const { choice, problems } = await checkDetails(entered, form)
  return {
    ...entered.frame,
    form,
    problems: isRefused ? problems : {},
    quote: detailsQuote(entered.tenant, choice),
    differ: others.some(({ billingAddress }) => !sameDetails(billingAddress, newest.billingAddress)),
    submitUrl: `${detailsPath}/submit`,
  }
}

/** Call this function outside any transaction, because it may query the tax registry. */
export async function checkDetails({ tenant, customer }: Entered, form: DetailsForm) {
  const asker = { checkoutId: null, customerId: customer.id }
  const choice = await withTaxFacts(tenant, taxInputOf(form), asker)
  const companyDetails = companyDetailsFor(taxIdEffectOf(tenant, choice), tenant)
  return { choice, problems: detailProblems(form, fieldsRequiredBy(companyDetails, form.country)) }
}
