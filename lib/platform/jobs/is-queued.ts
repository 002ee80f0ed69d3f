import type { Sql } from '../db/db.ts'

export const isQueued = async (sql: Sql, name: string): Promise<boolean> =>
  (await sql.tasks.count({ where: { name } })) > 0

/** Whether the last run of a task failed, so that it waits for its next run. */
export const isFailing = async (sql: Sql, name: string, key: string): Promise<boolean> =>
  (await sql.tasks.count({ where: { name, key, last_error: { not: null } } })) > 0
