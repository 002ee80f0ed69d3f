import type { Interval } from '../../kernel/calendar.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { SubscriptionStatus } from './rules/index.ts'

/** The number of subscriptions in each state, and the renewal amounts of the active ones, by price and interval. */
export async function countSubscriptions(sql: Sql, tenant: Tenant) {
  const rows = await sql.$queryRaw<
    { status: string; currency: string; interval: string; interval_count: number; count: bigint; amount: bigint }[]
  >`
    SELECT status, currency, interval, interval_count, count(*) AS count, sum(price * quantity)::bigint AS amount
    FROM subscriptions WHERE storefront_id = ${tenant.storefrontId} AND testmode = ${tenant.testmode}
    GROUP BY status, currency, interval, interval_count`
  return rows.map(({ status, currency, interval, interval_count, count, amount }) => ({
    status: status as SubscriptionStatus,
    currency: currency as Currency,
    every: { interval: interval as Interval, intervalCount: interval_count },
    count: Number(count),
    amount,
  }))
}

/**
 * The number of running subscriptions, and how many began and ended in each month since a time (UTC, such as 2027-01).
 * `lost` counts those that ended and had begun before their last month.
 */
export async function subscriptionMoves(sql: Sql, { storefrontId, testmode }: Tenant, from: Date) {
  const rows = await sql.$queryRaw<
    { what: 'running' | 'started' | 'ended' | 'lost'; month: string | null; count: bigint }[]
  >`
    WITH own AS (SELECT started_at, ended_at FROM subscriptions
      WHERE storefront_id = ${storefrontId} AND testmode = ${testmode} AND started_at IS NOT NULL)
    SELECT 'running' AS what, NULL AS month, count(*) AS count FROM own WHERE ended_at IS NULL
    UNION ALL
    SELECT 'started', to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM'), count(*) FROM own
    WHERE started_at >= ${from} GROUP BY 2
    UNION ALL
    SELECT 'ended', to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM'), count(*) FROM own
    WHERE ended_at >= ${from} GROUP BY 2
    UNION ALL
    SELECT 'lost', to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM'), count(*) FROM own
    WHERE ended_at >= ${from} AND started_at AT TIME ZONE 'UTC' < date_trunc('month', ended_at AT TIME ZONE 'UTC') GROUP BY 2`
  const byMonth = (of: string) =>
    new Map(rows.filter(({ what }) => what === of).map(({ month, count }) => [month ?? '', Number(count)]))
  const running = byMonth('running').get('') ?? 0
  return { running, started: byMonth('started'), ended: byMonth('ended'), lost: byMonth('lost') }
}
