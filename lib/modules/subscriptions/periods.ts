import type { Sql } from '../../platform/db/db.ts'
import type { Transaction } from '../events/transact.ts'
import type { Subscription } from './rules/index.ts'
import { insertPeriods } from './store.ts'

/**
 * Saves the periods that subscriptions have begun, each with the order that bills it, and with the transaction at its
 * own moment where that is another one. A subscription in a trial has none.
 */
export async function writePeriods(
  tx: Transaction,
  begun: readonly { subscription: Subscription; orderId: string | null; own?: Transaction }[],
): Promise<void> {
  const { sql, ...tenant } = tx
  const periods = begun.flatMap(({ subscription: { id: subscriptionId, period }, orderId, own = tx }) =>
    period ? [{ id: own.newId('period_'), subscriptionId, orderId, ...period, createdAt: own.now }] : [],
  )
  if (periods.length > 0) await insertPeriods(sql, tenant, periods)
}

/** When the first period of a subscription begins that is not paid: its order waits, or was written off. Null without one. */
export async function unpaidFrom(sql: Sql, subscriptionId: string): Promise<Date | null> {
  const [first] = await sql.$queryRaw<{ at: Date }[]>`
    SELECT p.start_at AS at FROM subscription_periods p JOIN orders o ON o.id = p.order_id
    WHERE p.subscription_id = ${subscriptionId} AND o.status IN ('pending', 'canceled')
    ORDER BY p.start_at LIMIT 1`
  return first?.at ?? null
}

/** The order that billed the period in progress; null without one. A period that a change ended before it began is none. */
export async function orderOfPeriod(sql: Sql, subscriptionId: string): Promise<string | null> {
  const [last] = await sql.$queryRaw<{ orderId: string | null }[]>`
    SELECT order_id AS "orderId" FROM subscription_periods WHERE subscription_id = ${subscriptionId} AND end_at > start_at
    ORDER BY start_at DESC LIMIT 1`
  return last?.orderId ?? null
}
