import { hasOtherColumns } from './db.ts'
import { codeOf } from './one-connection.ts'

/**
 * A serialization failure, a deadlock, a unique row that another transaction inserted first, or a table that a
 * migration has just changed. The next attempt sees the new state and decides again.
 */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01' || code === '23505' || hasOtherColumns(error)
}
