import type { Sql } from '../../platform/db/db.ts'
import type { Transaction } from '../events/transact.ts'
import { unpaidFromOf } from './owed.ts'
import type { Subscription } from './rules/index.ts'
import type { Period } from './rules/subscription.ts'
import { insertPeriods } from './store.ts'

/**
 * Stores the current periods. A trial has no period. A period gets its id and creation time from the transaction context `own`, or from `tx` if `own` is
 * absent.
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

export async function unpaidFrom(sql: Sql, subscriptionId: string): Promise<Date | null> {
  const [found] = await sql.$queryRaw<{ at: Date | null }[]>`
    SELECT ${unpaidFromOf} AS at FROM subscriptions s WHERE s.id = ${subscriptionId}`
  return found?.at ?? null
}

/**
 * Returns the order that billed the current period, or null if no order billed it. Ignores a period that a change
 * canceled before the period began.
 */
export async function orderOfPeriod(sql: Sql, subscriptionId: string): Promise<string | null> {
  const [last] = await sql.$queryRaw<{ orderId: string | null }[]>`
    SELECT order_id AS "orderId" FROM subscription_periods WHERE subscription_id = ${subscriptionId} AND end_at > start_at
    ORDER BY start_at DESC LIMIT 1`
  return last?.orderId ?? null
}

export async function returnToPeriod(
  sql: Sql,
  subscriptionId: string,
  { since, orderIds, period }: { since: Date; orderIds: readonly string[]; period: Period },
): Promise<void> {
  await sql.$executeRaw`
    UPDATE subscription_periods SET end_at = start_at
    WHERE subscription_id = ${subscriptionId} AND order_id = ANY(${orderIds})`
  // If `period` was billed before its start, the undone change also shortened the preceding period. This statement
  // restores the end of the preceding period.
  await sql.$executeRaw`
    UPDATE subscription_periods SET end_at = ${period.startAt}
    WHERE subscription_id = ${subscriptionId} AND end_at = ${since} AND start_at < ${since} AND start_at < ${period.startAt}`
  await sql.$executeRaw`
    UPDATE subscription_periods SET end_at = ${period.endAt}
    WHERE id = (SELECT id FROM subscription_periods WHERE subscription_id = ${subscriptionId} AND start_at = ${period.startAt}
      AND (order_id IS NULL OR order_id <> ALL(${orderIds})) ORDER BY id DESC LIMIT 1)`
}

export async function periodOrdersSince(sql: Sql, subscriptionId: string, orderId: string): Promise<string[]> {
  const rows = await sql.$queryRaw<{ orderId: string }[]>`
    SELECT order_id AS "orderId" FROM subscription_periods
    WHERE subscription_id = ${subscriptionId} AND order_id > ${orderId} AND end_at > start_at ORDER BY start_at`
  return rows.map((row) => row.orderId)
}

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
