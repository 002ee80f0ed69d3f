import type { Sql } from '../../platform/db/db.ts'

/** Marks mandates as ended by a dispute. A marked mandate is no longer charged. */
export async function markDisputed(sql: Sql, mandateIds: readonly string[], at: Date): Promise<void> {
  const where = { id: { in: [...mandateIds] }, disputed_at: null }
  await sql.mandates.updateMany({ where, data: { disputed_at: at } })
}

export const areUndisputed = async (sql: Sql, mandateIds: readonly string[]): Promise<boolean> =>
  (await sql.mandates.count({ where: { id: { in: [...mandateIds] }, disputed_at: { not: null } } })) === 0
