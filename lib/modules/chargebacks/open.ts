import type { Sql } from '../../platform/db/db.ts'
import { fragment, rawFragment } from '../../platform/db/fragment.ts'
import type { Page, PageQuery } from '../../platform/http/paging.ts'
import { sortedPage } from '../../platform/http/sorted-page.ts'
import { type OpenStatus, openStatuses } from './rules/state.ts'
import { type ChargebackWithOrder, chargebacksWithOrders } from './with-order.ts'

// The statuses are literals in the query, because a generic query plan could not use the partial indexes.
const isOpen = rawFragment(`status IN (${openStatuses.map((status) => `'${status}'`).join(', ')})`)

/** A page of the open disputes of all storefronts and both modes, sorted by deadline. Disputes without a deadline come last. */
export const pageOfOpenDisputes = (
  sql: Sql,
  query: PageQuery,
  status: OpenStatus | null = null,
): Promise<Page<ChargebackWithOrder>> =>
  sortedPage(sql, query, false, {
    table: fragment`chargebacks`,
    own: fragment`TRUE`,
    listed: status === null ? isOpen : rawFragment(`status = '${status}'`),
    keys: [{ expression: rawFragment(`coalesce(respond_by, 'infinity'::timestamptz)`), type: 'timestamptz' }],
    find: (ids) => chargebacksWithOrders(sql, ids),
  })

/**
 * Counts the disputes that wait for an operator's review of the amount and, in live mode, the disputes that wait for
 * evidence. Counting stops at `atMost`.
 */
export async function countDisputesNeedingAction(sql: Sql, atMost: number): Promise<number> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM chargebacks
    WHERE status = 'requires_amount_review' OR (status = 'pending' AND NOT testmode AND (answer IS NULL OR answer IN ('refused', 'unreadable')))
    ORDER BY id LIMIT ${atMost}::int`
  return rows.length
}
