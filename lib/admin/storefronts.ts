import { toWire } from '../kernel/moment.ts'
import type { StorefrontFrame, StorefrontList, StorefrontSection } from '../modules/accounts/page.ts'
import { pageOfStorefronts } from '../modules/accounts/store.ts'
import { personOf } from '../modules/operators/hosted.ts'
import type { Permission } from '../modules/operators/rules/access.ts'
import { now as clockNow } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { accessTo, type Place } from './access.ts'
import { adminList, type ListParameters } from './list.ts'
import { narrowedBy, staffExportUrl } from './staff-exports.ts'
import { suspensionOf } from './suspension.ts'

/**
 * The storefronts of all merchants, or of a member's own one, newest first; for staff also those with a name. Null for anybody
 * else.
 */
export async function storefrontsPage(
  parameters: ListParameters,
  cookies: string | null,
): Promise<StorefrontList | null> {
  const person = await personOf(cookies)
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

const sections: readonly { name: StorefrontSection; permission: Permission; testOnly?: true }[] = [
  { name: 'overview', permission: 'sales.read' },
  { name: 'orders', permission: 'sales.read' },
  { name: 'subscriptions', permission: 'sales.read' },
  { name: 'customers', permission: 'sales.read' },
  { name: 'catalog', permission: 'sales.read' },
  { name: 'checkouts', permission: 'sales.read' },
  { name: 'chargebacks', permission: 'sales.read' },
  { name: 'balance', permission: 'balance.read' },
  { name: 'endpoints', permission: 'deliveries.read' },
  { name: 'deliveries', permission: 'deliveries.read' },
  { name: 'emails', permission: 'sales.read' },
  { name: 'keys', permission: 'keys.change' },
  { name: 'members', permission: 'members.change' },
  { name: 'brand', permission: 'brand.change' },
  { name: 'clock', permission: 'clock.advance', testOnly: true },
  { name: 'suspension', permission: 'storefronts.suspend' },
]

/** What stands around every page of a storefront and mode. */
export async function storefrontFrame(place: Place, cookies: string | null): Promise<StorefrontFrame | null> {
  const access = await accessTo(place, 'sales.read', cookies)
  if (!access) return null
  const { storefront, mode, path, tenant } = access
  return {
    name: storefront.name,
    merchant: storefront.merchant.name,
    mode,
    path,
    otherModeUrl: `/admin/${mode === 'test' ? 'live' : 'test'}/${storefront.id}`,
    now: toWire(await clockNow(db(), tenant)),
    suspension: suspensionOf(storefront),
    heldAt: storefront.heldAt && toWire(storefront.heldAt),
    sections: sections
      .filter(({ permission, testOnly }) => access.may(permission) && (!testOnly || tenant.testmode))
      .map(({ name }) => name),
  }
}
