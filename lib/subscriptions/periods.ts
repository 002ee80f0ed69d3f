import type { Work } from '../platform/transact.ts'
import type { Subscription } from './rules/index.ts'
import { insertPeriods } from './store.ts'

/** Writes down the periods that subscriptions have begun, each with the order that bills it; one in a trial has none. */
export async function writePeriods(
  { sql, now, newId, ...scope }: Work,
  begun: readonly { subscription: Subscription; orderId: string | null }[],
): Promise<void> {
  const periods = begun.flatMap(({ subscription: { id: subscriptionId, period }, orderId }) =>
    period ? [{ id: newId('period_'), subscriptionId, orderId, ...period, createdAt: now }] : [],
  )
  if (periods.length > 0) await insertPeriods(sql, scope, periods)
}
