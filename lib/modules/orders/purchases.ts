import { type Amount, amount, type Currency } from '../../kernel/money.ts'
import { ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

export interface Purchases {
  /** The paid amounts before tax, less refunds, by currency. */
  readonly spend: readonly Amount[]
  /** The company on the newest order, or the buyer's name if the order names no company. */
  readonly title: string | null
  readonly country: string | null
  /** Whether the customer has older orders, which the totals exclude. */
  readonly isMore: boolean
}

/** The maximum number of orders that are summed per customer, newest first. The limit keeps the query of a page of 50 customers fast. */
const mostCounted = 100

const nothing: Purchases = { spend: [], title: null, country: null, isMore: false }

export async function purchasesOf(
  sql: Sql,
  tenant: Tenant,
  customerIds: readonly string[],
): Promise<(customerId: string) => Purchases> {
  if (customerIds.length === 0) return () => nothing
  const rows = await sql.$queryRaw<Row[]>`
    SELECT customer.id AS customer_id, newest.currency, max(newest.id) AS newest_id, count(*)::int AS counted,
      coalesce(sum(newest.net) FILTER (WHERE newest.is_paid_sale AND newest.place <= ${mostCounted}::int), 0)::bigint AS spent,
      (array_agg(newest.title ORDER BY newest.id DESC))[1] AS title,
      (array_agg(newest.country ORDER BY newest.id DESC))[1] AS country
    FROM unnest(${[...customerIds]}::text[]) AS customer (id), LATERAL (
      SELECT id, row_number() OVER (ORDER BY id DESC) AS place, currency, subtotal - reversed_subtotal AS net,
        status = 'paid' AND credited_order_id IS NULL AND replaces_order_id IS NULL AS is_paid_sale,
        coalesce(nullif(customer_details->>'companyName', ''), customer_details->>'fullName') AS title,
        customer_details->>'country' AS country
      FROM orders
      WHERE customer_id = customer.id AND (${ownedRows(tenant)}) IS TRUE
      ORDER BY id DESC LIMIT ${mostCounted + 1}::int
    ) newest GROUP BY customer.id, newest.currency ORDER BY newest_id DESC`
  return (customerId) => {
    const all = rows.filter((row) => row.customer_id === customerId)
    const [newest] = all
    if (!newest) return nothing
    return {
      spend: all.filter(({ spent }) => spent > 0n).map(({ spent, currency }) => amount(spent, currency)),
      title: newest.title || null,
      country: newest.country || null,
      isMore: all.reduce((sum, { counted }) => sum + counted, 0) > mostCounted,
    }
  }
}

interface Row {
  readonly customer_id: string
  readonly currency: Currency
  readonly counted: number
  readonly spent: bigint
  readonly title: string | null
  readonly country: string | null
}
