import { hasOtherColumns } from './db.ts'
import { codeOf } from './one-connection.ts'

/** A serialization failure, a deadlock, a lost race for a unique row, or a table that a migration changed. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01' || code === '23505' || hasOtherColumns(error)
}
