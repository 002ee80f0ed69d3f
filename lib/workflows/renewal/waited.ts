import type { Selling } from '../../modules/accounts/store.ts'
import { wasHeldSince } from '../../modules/recovery/store.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import type { Sql } from '../../platform/db/db.ts'

export const endedBeforeLifting = ({ renewedUntil }: Subscription, { resumedAt }: Selling): boolean =>
  renewedUntil !== null && resumedAt !== null && renewedUntil < resumedAt

/**
 * Whether a suspension delayed the renewal, so that the period begins when the renewal is charged. Returns false if a recovery
 * delayed the renewal after the suspension.
 */
export async function hasWaited(sql: Sql, subscription: Subscription, selling: Selling): Promise<boolean> {
  if (!selling.resumedAt || !endedBeforeLifting(subscription, selling)) return false
  return !(await wasHeldSince(sql, subscription.id, selling.resumedAt))
}
