import type { Currency } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

/** The sales of a month less returns, before tax. */
export interface MonthOfSales {
  /** The month in UTC, such as `2027-01`. */
  readonly month: string
  readonly currency: Currency
  /** Minor units. */
  readonly net: bigint
  readonly orders: number
}

/** The sales of each month since a time. Months without sales are omitted. */
export async function salesByMonth(sql: Sql, { storefrontId, testmode }: Tenant, from: Date): Promise<MonthOfSales[]> {
  const rows = await sql.$queryRaw<{ month: string; currency: string; net: bigint; orders: bigint }[]>`
    SELECT to_char(paid_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, currency,
      sum(subtotal - reversed_subtotal)::bigint AS net, count(*) AS orders
    FROM orders
    WHERE storefront_id = ${storefrontId} AND testmode = ${testmode} AND status = 'paid' AND total > 0
      AND credited_order_id IS NULL AND replaces_order_id IS NULL AND paid_at >= ${from}
    GROUP BY 1, 2 ORDER BY 1, 2`
  return rows.map(({ month, currency, net, orders }) => ({
    month,
    currency: currency as Currency,
    net,
    orders: Number(orders),
  }))
}
