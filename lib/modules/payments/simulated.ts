import type { Currency } from '../../kernel/money.ts'
import { ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { simulatedProvider } from './provider-data.ts'

/** Returns the simulated payments less their refunds, in minor units by currency. No external provider holds this money. */
export async function simulatedOf(sql: Sql, tenant: Tenant): Promise<ReadonlyMap<Currency, bigint>> {
  const rows = await sql.$queryRaw<{ currency: Currency; amount: bigint }[]>`
    SELECT p.currency, sum(p.amount - coalesce(r.amount, 0))::bigint AS amount FROM payments p
    LEFT JOIN (SELECT order_id, sum(total) AS amount FROM refunds WHERE status = 'refunded' GROUP BY 1) r ON r.order_id = p.paid_order_id
    WHERE ${ownedRows(tenant, 'p')} AND p.status = 'paid' AND p.provider = ${simulatedProvider} GROUP BY 1`
  return new Map(rows.map(({ currency, amount }) => [currency, amount]))
}
