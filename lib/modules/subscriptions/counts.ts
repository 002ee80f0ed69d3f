import type { Interval } from '../../kernel/calendar.ts'
import type { Currency } from '../../kernel/money.ts'
import { ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { SubscriptionStatus } from './rules/index.ts'

export async function countSubscriptions(sql: Sql, tenant: Tenant) {
  const rows = await sql.$queryRaw<
    { status: string; currency: string; interval: string; interval_count: number; count: bigint; amount: bigint }[]
  >`
    SELECT status, currency, interval, interval_count, count(*) AS count, sum(price * quantity)::bigint AS amount
    FROM subscriptions WHERE ${ownedRows(tenant)}
    GROUP BY status, currency, interval, interval_count`
  return rows.map(({ status, currency, interval, interval_count, count, amount }) => ({
    status: status as SubscriptionStatus,
    currency: currency as Currency,
    every: { interval: interval as Interval, intervalCount: interval_count },
    count: Number(count),
    amount,
  }))
}
