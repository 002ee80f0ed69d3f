import type { Sql } from '../../platform/db/db.ts'

export async function untriedMandates(
  sql: Sql,
  orderId: string,
  { ids, since }: { readonly ids: readonly string[]; readonly since: Date },
): Promise<Set<string>> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT m.id FROM mandates m WHERE m.id = ANY(${[...ids]}) AND m.created_at >= ${since}
      AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = ${orderId} AND p.mandate_id = m.id)`
  return new Set(rows.map(({ id }) => id))
}
