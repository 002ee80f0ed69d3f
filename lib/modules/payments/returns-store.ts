import type { Tenant } from '../../platform/clock/clock.ts'
import { ownedBy } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { FailureReason } from './rules/failure.ts'

/** Direct debits that the bank returned after they were paid. Call all functions of this file with the order locked. */

/** A paid debit was returned: its order no longer has a successful payment. */
export async function markDebitReturned(
  sql: Sql,
  paymentId: string,
  { ref, reason, fee, at }: { ref: string; reason: FailureReason; fee: bigint; at: Date },
): Promise<void> {
  await sql.payments.update({
    where: { id: paymentId },
    data: {
      status: 'failed',
      failure_reason: reason,
      paid_order_id: null,
      returned_at: at,
      return_ref: ref,
      return_fee: fee,
      finished_at: at,
    },
    select: { id: true },
  })
}

/** Whether the bank's return with this reference at the provider opened an order again. */
export const isReturnKnown = async (sql: Sql, tenant: Tenant, ref: string): Promise<boolean> =>
  (await sql.payments.count({ where: { return_ref: ref, ...ownedBy(tenant) } })) > 0

/** The last returned payment of each of these orders, by order id. */
export async function returnedPayments(sql: Sql, orderIds: readonly string[]): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map()
  const where = { order_id: { in: [...orderIds] }, return_ref: { not: null } }
  const rows = await sql.payments.findMany({ where, select: { id: true, order_id: true }, orderBy: { id: 'asc' } })
  return new Map(rows.map(({ id, order_id }) => [order_id, id]))
}
