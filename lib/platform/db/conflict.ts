import { hasOtherColumns } from './db.ts'
import { codeOf } from './one-connection.ts'

/**
 * Whether an error is a serialization failure, a deadlock, a unique violation, or the failure of a prepared statement
 * that a migration has made outdated.
 */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01' || code === '23505' || hasOtherColumns(error)
}
