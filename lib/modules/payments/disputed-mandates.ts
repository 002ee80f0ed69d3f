import type { Sql } from '../../platform/db/db.ts'

/** Marks mandates that a dispute ended. These mandates are not charged again. */
export async function markDisputed(sql: Sql, mandateIds: readonly string[], at: Date): Promise<void> {
  const where = { id: { in: [...mandateIds] }, disputed_at: null }
  await sql.mandates.updateMany({ where, data: { disputed_at: at } })
}

/** Whether no dispute has ended any of these mandates. */
export const areUndisputed = async (sql: Sql, mandateIds: readonly string[]): Promise<boolean> =>
  (await sql.mandates.count({ where: { id: { in: [...mandateIds] }, disputed_at: { not: null } } })) === 0

/** Whether a dispute has ended a mandate of a customer. */
export const hasDisputedMandate = async (sql: Sql, customerId: string): Promise<boolean> =>
  (await sql.mandates.count({ where: { customer_id: customerId, disputed_at: { not: null } } })) > 0
