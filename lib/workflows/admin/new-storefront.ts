import { Refusal } from '../../kernel/refusal.ts'
import type { NewStorefrontPage } from '../../modules/accounts/page.ts'
import { findMerchantName } from '../../modules/accounts/store.ts'
import { type SignedInPerson, staffOf } from '../../modules/operators/hosted.ts'
import { db } from '../../platform/db/db.ts'
import { languageOf } from '../members/operations.ts'
import { openStorefront } from '../storefronts/operations.ts'
import { isFormKey, newFormKey, refused } from './act.ts'
import { formState, type Next } from './form-state.ts'

const page = '/admin/storefronts/new'

/**
 * The form of a new storefront, of a new merchant or of the one with this id. Null for anybody but the service's staff,
 * and for an unknown merchant.
 */
export async function newStorefrontPage(
  merchantId: string | null,
  form: string | null,
  cookies: string | null,
): Promise<NewStorefrontPage | null> {
  const staff = await staffOf(cookies)
  if (!staff) return null
  const { typed, problems } = formState(staff, form, cookies)
  const name = merchantId === null ? null : await findMerchantName(db(), merchantId)
  if (merchantId !== null && name === null) return null
  const merchant = merchantId !== null && name !== null ? { id: merchantId, name } : null
  return { merchant, typed, problems, formKey: newFormKey() }
}

/** Makes a storefront, and leads to it. Null for anybody but the service's staff. */
export async function submitNewStorefront(values: URLSearchParams, cookies: string | null): Promise<Next | null> {
  const staff = await staffOf(cookies)
  return staff && submit(staff, values)
}

async function submit(staff: SignedInPerson, values: URLSearchParams): Promise<Next> {
  const [formKey, merchantId] = [values.get('key'), values.get('merchant')]
  const text = (field: string) => (values.get(field) ?? '').trim().slice(0, 300)
  const back = merchantId === null ? page : `${page}?${new URLSearchParams({ merchant: merchantId })}`
  if (!isFormKey(formKey)) return refused(staff, { page: back, values }, new Refusal('illegal_move'))
  try {
    const { storefrontId } = await openStorefront(staff.actor, {
      formKey,
      name: text('name'),
      ownerEmail: text('email'),
      ownerLocale: languageOf(values.get('language') ?? 'en'),
      merchant: merchantId === null ? { name: text('merchantName') } : { id: merchantId },
    })
    return { redirectTo: `/admin/live/${storefrontId}?done=created` }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refused(staff, { page: back, values }, error)
  }
}
