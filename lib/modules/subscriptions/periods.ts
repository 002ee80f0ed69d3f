import type { Sql } from '../../platform/db/db.ts'
import type { Transaction } from '../events/transact.ts'
import type { Subscription } from './rules/index.ts'
import type { Period } from './rules/subscription.ts'
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
    WHERE p.subscription_id = ${subscriptionId} AND p.end_at > p.start_at AND o.status IN ('pending', 'canceled')
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

/** The cycle before a change is back: periods that began since never took place, and the one before lasts as it did. */
export async function returnToPeriod(
  sql: Sql,
  subscriptionId: string,
  { since, orderIds, period }: { since: Date; orderIds: readonly string[]; period: Period },
): Promise<void> {
  await sql.$executeRaw`
    UPDATE subscription_periods SET end_at = start_at
    WHERE subscription_id = ${subscriptionId} AND order_id = ANY(${orderIds})`
  // A period that was billed ahead of its time was withdrawn by the change, and the one before it was cut.
  await sql.$executeRaw`
    UPDATE subscription_periods SET end_at = ${period.startAt}
    WHERE subscription_id = ${subscriptionId} AND end_at = ${since} AND start_at < ${since} AND start_at < ${period.startAt}`
  await sql.$executeRaw`
    UPDATE subscription_periods SET end_at = ${period.endAt}
    WHERE id = (SELECT id FROM subscription_periods WHERE subscription_id = ${subscriptionId} AND start_at = ${period.startAt}
      AND (order_id IS NULL OR order_id <> ALL(${orderIds})) ORDER BY id DESC LIMIT 1)`
}

/** The orders that billed the periods of a subscription since an order, the oldest first. Withdrawn periods are left out. */
export async function periodOrdersSince(sql: Sql, subscriptionId: string, orderId: string): Promise<string[]> {
  const rows = await sql.$queryRaw<{ orderId: string }[]>`
    SELECT order_id AS "orderId" FROM subscription_periods
    WHERE subscription_id = ${subscriptionId} AND order_id > ${orderId} AND end_at > start_at ORDER BY start_at`
  return rows.map((row) => row.orderId)
}

/** The last period of a subscription that is paid; null if the first one is not. */
export async function lastPaidPeriod(
  sql: Sql,
  subscriptionId: string,
): Promise<Pick<Period, 'startAt' | 'endAt'> | null> {
  const unpaidSince = await unpaidFrom(sql, subscriptionId)
  const [last] = await sql.$queryRaw<Pick<Period, 'startAt' | 'endAt'>[]>`
    SELECT start_at AS "startAt", end_at AS "endAt" FROM subscription_periods
    WHERE subscription_id = ${subscriptionId} AND end_at > start_at
      AND (${unpaidSince}::timestamptz IS NULL OR start_at < ${unpaidSince}::timestamptz)
    ORDER BY start_at DESC LIMIT 1`
  return last ?? null
}
