import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { toOrder } from './rows.ts'
import type { Order } from './rules/order.ts'

interface InvoiceQuery {
  readonly customerId: string
  /** Limits the list to these orders. */
  readonly among?: readonly string[] | undefined
  /** Limits the list to older orders. */
  readonly before: string | null
  readonly take: number
}

/** The invoices and credit notes of a customer, newest first: at most `take`. */
export async function invoicesOf(
  sql: Sql,
  tenant: Tenant,
  { customerId, among, before, take }: InvoiceQuery,
): Promise<Order[]> {
  const where = {
    ...ownedBy(tenant),
    customer_id: customerId,
    invoice_number: { not: null },
    ...(before !== null && { id: { lt: before } }),
    ...(among && { AND: { id: { in: [...among] } } }),
  }
  return (
    await sql.orders.findMany({
      where,
      include: { lines: { orderBy: { position: 'asc' } } },
      orderBy: { id: 'desc' },
      take,
    })
  ).map(toOrder)
}
