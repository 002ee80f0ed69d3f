import { findShownOrders } from '../modules/orders/store.ts'
import type { PastDuePage } from '../modules/recovery/page.ts'
import { pageOfOpenRecoveries } from '../modules/recovery/store.ts'
import { accessTo, type StorefrontPath } from './access.ts'
import { adminList, type ListParameters } from './list.ts'
import { pastDueRows } from './recovery.ts'

export async function pastDuePage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<PastDuePage | null> {
  const access = await accessTo(place, 'past-due', cookies)
  if (!access) return null
  const { path, tenant } = access
  return adminList(
    `${path}/past-due`,
    parameters,
    async (query, sql) => {
      const page = await pageOfOpenRecoveries(sql, tenant, query)
      const ids = page.rows.map(({ orderId }) => orderId)
      return { ...page, rows: await pastDueRows(sql, access, page.rows, await findShownOrders(sql, tenant, ids)) }
    },
    (row) => row,
  )
}
