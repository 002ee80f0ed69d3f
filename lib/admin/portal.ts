import { amount } from '../kernel/money.ts'
import { portalChangesOf } from '../modules/accounts/store.ts'
import { isOnSale, type Product } from '../modules/catalog/rules/index.ts'
import { findProducts, pageOfProducts } from '../modules/catalog/store.ts'
import type { PortalSettingPage } from '../modules/portal/page.ts'
import type { PortalChanges } from '../modules/portal/rules/portal-change.ts'
import { db } from '../platform/db/db.ts'
import { portalSetting, setPortalChanges } from '../workflows/storefronts/operations.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once, refused } from './act.ts'
import type { Next } from './form-state.ts'

/**
 * The maximum number of plans. It must stay below the maximum number of fields in a form, because each plan has a
 * checkbox.
 */
const mostPlans = 80

export async function portalPage(place: StorefrontPath, cookies: string | null): Promise<PortalSettingPage | null> {
  const access = await accessTo(place, 'portal', cookies)
  if (!access) return null
  const { quantity, planIds } = await portalChangesOf(db(), access.storefront.id)
  const chosen = await findProducts(db(), access.tenant, [...planIds])
  const { rows } = await pageOfProducts(db(), access.tenant, 'subscription_plan', { limit: mostPlans }, false)
  const others = rows.filter((plan) => isOnSale(plan) && !chosen.has(plan.id))
  return {
    quantity,
    plans: [
      ...[...chosen.values()].flatMap((plan) => planOption(plan, true)),
      ...others.flatMap((plan) => planOption(plan, false)),
    ].slice(0, mostPlans),
    isOnHold: access.storefront.heldAt !== null,
    formKey: newFormKey(),
  }
}

function planOption(plan: Product, isChosen: boolean): PortalSettingPage['plans'] {
  const { name, price, billingInterval } = plan.terms
  if (!billingInterval) return []
  return [
    {
      id: plan.id,
      name,
      price: amount(price.minor, price.currency),
      ...billingInterval,
      taxBehavior: plan.taxBehavior,
      isChosen,
      isArchived: plan.archivedAt !== null,
    },
  ]
}

/** Saves the quantity setting for both modes, and the plans for the mode of the page. */
export async function submitPortal(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'portal', values.get('intent'), cookies)
  if (!access) return null
  const page = `${access.path}/portal`
  const asked = { quantity: values.get('quantity') === 'yes', planIds: values.getAll('plan') }
  const refusal = await once<PortalChanges>(
    access,
    values,
    { ...portalSetting(access.storefront.id), path: `${page}/submit`, content: asked },
    (call) => setPortalChanges(call, asked, [access.tenant.testmode]),
  )
  return refusal
    ? refused(access, { page, values: new URLSearchParams() }, refusal)
    : { redirectTo: `${page}?done=saved` }
}
