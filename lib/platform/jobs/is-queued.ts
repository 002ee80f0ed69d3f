import type { Sql } from '../db/db.ts'

export const isQueued = async (sql: Sql, name: string): Promise<boolean> =>
  (await sql.tasks.count({ where: { name } })) > 0

export const isFailing = async (sql: Sql, name: string, key: string): Promise<boolean> =>
  (await sql.tasks.count({ where: { name, key, last_error: { not: null } } })) > 0

/** Returns the errors of the last runs of tasks, by task key. A task whose last run did not fail has no entry. */
export async function lastErrors(sql: Sql, name: string, keys: readonly string[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const where = { name, key: { in: [...keys] }, last_error: { not: null } }
  const rows = await sql.tasks.findMany({ where, select: { key: true, last_error: true } })
  return new Map(rows.map(({ key, last_error }) => [key, last_error ?? '']))
}
