import { Refusal } from '../kernel/refusal.ts'
import type { NewStorefrontPage } from '../modules/accounts/page.ts'
import { findMerchantName } from '../modules/accounts/store.ts'
import type { SignedInPerson } from '../modules/operators/manage-sessions.ts'
import { requireStepUp } from '../modules/operators/step-up.ts'
import { db } from '../platform/db/db.ts'
import { languageOf } from '../workflows/members/operations.ts'
import { openStorefront } from '../workflows/storefronts/operations.ts'
import { staffOn } from './access.ts'
import { codeIn, isFormKey, newFormKey, refused } from './act.ts'
import { formState, type Next } from './form-state.ts'
import { madeMeanwhile } from './staff-act.ts'

const page = '/admin/storefronts/new'

/**
 * The form for a storefront of an existing merchant, or of a new merchant if the id is null. Null for everyone except
 * staff, and for an unknown merchant.
 */
export async function newStorefrontPage(
  merchantId: string | null,
  form: string | null,
  cookies: string | null,
): Promise<NewStorefrontPage | null> {
  const staff = await staffOn('storefronts/new', cookies)
  if (!staff) return null
  const { typed, problems } = formState(staff, form, cookies)
  const name = merchantId === null ? null : await findMerchantName(db(), merchantId)
  if (merchantId !== null && name === null) return null
  const merchant = merchantId !== null && name !== null ? { id: merchantId, name } : null
  return { merchant, typed, problems, formKey: newFormKey() }
}

export async function submitNewStorefront(values: URLSearchParams, cookies: string | null): Promise<Next | null> {
  const staff = await staffOn('storefronts/new', cookies)
  return staff && submit(staff, values, cookies)
}

async function submit(staff: SignedInPerson, values: URLSearchParams, cookies: string | null): Promise<Next> {
  const [formKey, merchantId] = [values.get('key'), values.get('merchant')]
  const text = (field: string) => (values.get(field) ?? '').trim().slice(0, 300)
  const back = merchantId === null ? page : `${page}?${new URLSearchParams({ merchant: merchantId })}`
  if (!isFormKey(formKey)) return refused(staff, { page: back, values }, new Refusal('illegal_move'))
  try {
    const confirm = () => requireStepUp({ action: 'storefront.create', testmode: false, code: codeIn(values), cookies })
    const { storefrontId } = await openStorefront(staff.actor, confirm, {
      formKey,
      name: text('name'),
      ownerEmail: text('email'),
      ownerLocale: languageOf(values.get('language') ?? 'en'),
      merchant: merchantId === null ? { name: text('merchantName') } : { id: merchantId },
    })
    return { redirectTo: `/admin/live/${storefrontId}?done=created` }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const made = error.on.code ? await madeMeanwhile(staff, formKey) : null
    if (made) return { redirectTo: `/admin/live/${made}?done=created` }
    return refused(staff, { page: back, values }, error)
  }
}
