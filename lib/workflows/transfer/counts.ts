import pg from 'pg'
import { exported } from './tables.ts'

/** Replaces `$1` in the SQL text with the id, because PostgreSQL's COPY accepts no parameters. */
export const ofStorefront = (text: string, id: string): string => text.replaceAll('$1', () => pg.escapeLiteral(id))

export async function countsOf(client: pg.Client, storefrontId: string): Promise<Record<string, number>> {
  const each = Object.entries(exported).map(
    ([table, { rows }]) =>
      `SELECT '${table}' AS table, count(*)::int AS count FROM ${table} t WHERE ${ofStorefront(rows, storefrontId)}`,
  )
  const { rows } = await client.query(each.join(' UNION ALL '))
  const counts = new Map(rows.map(({ table, count }) => [table, count]))
  // The tables have a fixed order, so that counts can be compared.
  return Object.fromEntries(Object.keys(exported).map((table) => [table, counts.get(table) ?? 0]))
}
