import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Subscription } from './rules/index.ts'

/**
 * Stores the feedback, and replaces the feedback about an earlier cancellation. Lock the subscription before you call
 * this function.
 */
export async function saveFeedback(
  sql: Sql,
  tenant: Tenant,
  { id, cancellationFeedback }: Pick<Subscription, 'id' | 'cancellationFeedback'>,
  at: Date,
): Promise<void> {
  await sql.cancellation_feedback.deleteMany({ where: { subscription_id: id, ...ownedBy(tenant) } })
  if (!cancellationFeedback) return
  const data = { subscription_id: id, ...ownedBy(tenant), ...cancellationFeedback, created_at: at }
  await sql.cancellation_feedback.create({ data, select: { subscription_id: true } })
}
