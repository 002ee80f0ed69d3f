import type { Sql } from '../db/db.ts'

/** Whether a task of a type is queued or running, in any process. */
export const isQueued = async (sql: Sql, name: string): Promise<boolean> =>
  (await sql.tasks.count({ where: { name } })) > 0
