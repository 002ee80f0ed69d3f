import { ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { emptyFragment, fragment, rawFragment } from '../../platform/db/fragment.ts'
import type { Page, PageQuery } from '../../platform/http/paging.ts'
import { sortedPage } from '../../platform/http/sorted-page.ts'
import { type ShownSubscription, withOwed } from './owed.ts'
import type { SubscriptionStatus } from './rules/index.ts'
import { findSubscriptions } from './store.ts'

/**
 * The expression must equal the expression of the index that sorts this list, and must return the same time as the
 * function `nextRenewalAt`. Subscriptions without a next charge come last.
 */
const nextCharge = rawFragment(
  `coalesce(CASE WHEN status IN ('active', 'trial') THEN renewed_until END, 'infinity'::timestamptz)`,
)

export function pageOfSubscriptionsByNextCharge(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  { status, isDescending }: { status: SubscriptionStatus | undefined; isDescending: boolean },
): Promise<Page<ShownSubscription>> {
  const own = ownedRows(tenant)
  return sortedPage(sql, query, isDescending, {
    table: fragment`subscriptions`,
    own,
    listed: fragment`${own}${status ? fragment` AND status = ${status}` : emptyFragment}`,
    keys: [{ expression: nextCharge, type: 'timestamptz' }],
    find: async (ids) => withOwed(sql, await findSubscriptions(sql, tenant, [...ids])),
  })
}
