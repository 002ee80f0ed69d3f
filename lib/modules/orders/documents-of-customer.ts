import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { toOrder } from './rows.ts'
import type { Order } from './rules/order.ts'

interface InvoiceQuery {
  readonly customerId: string
  readonly among?: readonly string[] | undefined
  readonly before: string | null
  readonly take: number
}

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
