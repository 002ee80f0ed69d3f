import type { Tenant } from '../../platform/clock/clock.ts'
import { ownedBy } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { FailureReason } from './rules/failure.ts'

/** Lock the order before you call a function of this file. */

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

export const isReturnKnown = async (sql: Sql, tenant: Tenant, ref: string): Promise<boolean> =>
  (await sql.payments.count({ where: { return_ref: ref, ...ownedBy(tenant) } })) > 0

export async function returnedPayments(sql: Sql, orderIds: readonly string[]): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map()
  const where = { order_id: { in: [...orderIds] }, return_ref: { not: null } }
  const rows = await sql.payments.findMany({ where, select: { id: true, order_id: true }, orderBy: { id: 'asc' } })
  return new Map(rows.map(({ id, order_id }) => [order_id, id]))
}
