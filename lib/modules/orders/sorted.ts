import { ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { emptyFragment, fragment, rawFragment } from '../../platform/db/fragment.ts'
import type { Page, PageQuery } from '../../platform/http/paging.ts'
import { sortedPage } from '../../platform/http/sorted-page.ts'
import type { OrderStatus, ShownOrder } from './rules/order.ts'
import { findShownOrders } from './store.ts'

export function pageOfOrdersByAmount(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  { status, isDescending }: { status: OrderStatus | undefined; isDescending: boolean },
): Promise<Page<ShownOrder>> {
  const own = ownedRows(tenant)
  return sortedPage(sql, query, isDescending, {
    table: fragment`orders`,
    own,
    listed: fragment`${own}${status ? fragment` AND status = ${status}` : emptyFragment}`,
    keys: [
      { expression: rawFragment('currency'), type: 'text' },
      { expression: rawFragment('total'), type: 'bigint' },
    ],
    find: (ids) => findShownOrders(sql, tenant, [...ids]),
  })
}
