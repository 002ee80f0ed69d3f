import { toWire } from '../../kernel/moment.ts'
import type { AdminList, StorefrontFrame, StorefrontRow } from '../../modules/accounts/page.ts'
import { pageOfStorefronts } from '../../modules/accounts/store.ts'
import { operatorOf } from '../../modules/operators/hosted.ts'
import { now as clockNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { accessTo, type Place } from './access.ts'
import { adminList, type ListParameters } from './list.ts'

/** The storefronts of all merchants, newest first. Null for anybody but an operator, as for all pages here. */
export async function storefrontsPage(
  parameters: ListParameters,
  cookies: string | null,
): Promise<AdminList<StorefrontRow> | null> {
  if (!(await operatorOf(cookies))) return null
  return adminList(
    '/admin/storefronts',
    parameters,
    (query) => pageOfStorefronts(db(), query),
    ({ id, name, merchant, createdAt }) => ({
      ...{ id, name, merchant: merchant.name, createdAt: toWire(createdAt) },
      ...{ testUrl: `/admin/test/${id}`, liveUrl: `/admin/live/${id}` },
    }),
  )
}

/** What stands around every page of a storefront and mode. */
export async function storefrontFrame(place: Place, cookies: string | null): Promise<StorefrontFrame | null> {
  const access = await accessTo(place, cookies)
  if (!access) return null
  const { storefront, mode, path, tenant } = access
  return {
    ...{ name: storefront.name, merchant: storefront.merchant.name, mode, path },
    otherModeUrl: `/admin/${mode === 'test' ? 'live' : 'test'}/${storefront.id}`,
    now: toWire(await clockNow(db(), tenant)),
  }
}
