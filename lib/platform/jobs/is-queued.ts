import type { Sql } from '../db/db.ts'

export const isQueued = async (sql: Sql, name: string): Promise<boolean> =>
  (await sql.tasks.count({ where: { name } })) > 0
