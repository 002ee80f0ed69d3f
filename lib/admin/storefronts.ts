import { toWire } from '../kernel/moment.ts'
import type { StorefrontList } from '../modules/accounts/page.ts'
import { pageOfStorefronts } from '../modules/accounts/store.ts'
import { personOn } from './access.ts'
import { adminList, type ListParameters } from './list.ts'
import { narrowedBy, staffExportUrl } from './staff-exports.ts'

/**
 * For staff, the storefronts of all merchants, with a name filter. For a member, the storefronts of the merchant.
 * Newest first. Null for anybody else.
 */
export async function storefrontsPage(
  parameters: ListParameters,
  cookies: string | null,
): Promise<StorefrontList | null> {
  const person = await personOn('storefronts', cookies)
  if (!person) return null
  const isStaff = person.membership === null
  const name = isStaff ? narrowedBy(parameters.name) : undefined
  const list = await adminList(
    '/admin/storefronts',
    parameters,
    (query, sql) => pageOfStorefronts(sql, query, { merchantId: person.membership?.merchantId, name }),
    ({ id, name, merchant, createdAt, suspension, heldAt }) => ({
      id,
      name,
      merchant: merchant.name,
      createdAt: toWire(createdAt),
      isSuspended: suspension !== null,
      isOnHold: heldAt !== null,
      testUrl: `/admin/test/${id}`,
      liveUrl: `/admin/live/${id}`,
      newUrl: isStaff ? `/admin/storefronts/new?merchant=${merchant.id}` : null,
    }),
  )
  return {
    ...list,
    newUrl: isStaff ? '/admin/storefronts/new' : null,
    name: isStaff ? (name ?? '') : null,
    ...(isStaff && { exportUrl: staffExportUrl('storefronts', name === undefined ? {} : { name }) }),
  }
}
