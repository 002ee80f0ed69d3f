import { toWire } from '../kernel/moment.ts'
import type { StorefrontFrame, StorefrontList, StorefrontSection } from '../modules/accounts/page.ts'
import { pageOfStorefronts } from '../modules/accounts/store.ts'
import { now as clockNow } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { accessTo, personOn, type StorefrontPath } from './access.ts'
import { adminList, type ListParameters } from './list.ts'
import type { StorefrontPage } from './permissions.ts'
import { narrowedBy, staffExportUrl } from './staff-exports.ts'
import { suspensionOf } from './suspension.ts'

/**
 * The storefronts of all merchants, or of a member's own merchant, newest first; for staff also filtered by name. Null
 * for anybody else.
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

const sections: readonly { name: StorefrontSection; page: StorefrontPage; testOnly?: true }[] = [
  { name: 'overview', page: '' },
  { name: 'orders', page: 'orders' },
  { name: 'subscriptions', page: 'subscriptions' },
  { name: 'customers', page: 'customers' },
  { name: 'catalog', page: 'catalog' },
  { name: 'checkouts', page: 'checkouts' },
  { name: 'payment-links', page: 'payment-links' },
  { name: 'chargebacks', page: 'chargebacks' },
  { name: 'balance', page: 'balance' },
  { name: 'endpoints', page: 'endpoints' },
  { name: 'deliveries', page: 'deliveries' },
  { name: 'emails', page: 'emails' },
  { name: 'keys', page: 'keys' },
  { name: 'members', page: 'members' },
  { name: 'brand', page: 'brand' },
  { name: 'portal', page: 'portal' },
  { name: 'clock', page: 'clock', testOnly: true },
  { name: 'suspension', page: 'suspension' },
]

/** The frame of every page of a storefront in one mode. */
export async function storefrontFrame(place: StorefrontPath, cookies: string | null): Promise<StorefrontFrame | null> {
  const access = await accessTo(place, '', cookies)
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
      .filter(({ page, testOnly }) => access.mayOpen(page) && (!testOnly || tenant.testmode))
      .map(({ name }) => name),
  }
}
