import { toWire } from '../kernel/moment.ts'
import type { Sql } from '../platform/db/db.ts'

/** The report of PostgreSQL about the archive of its write-ahead log. The times are null before the first success or failure. */
export interface Archiving {
  readonly isOn: boolean
  readonly lastSuccessAt: Date | null
  readonly lastFailureAt: Date | null
}

export async function readArchiving(sql: Sql): Promise<Archiving> {
  const [row] = await sql.$queryRaw<Archiving[]>`
    SELECT current_setting('archive_mode') <> 'off' AS "isOn", last_archived_time AS "lastSuccessAt", last_failed_time AS "lastFailureAt"
    FROM pg_stat_archiver`
  if (!row) throw new Error('the database returned no row')
  return row
}

/**
 * Describes the failure of the archive. Returns null unless the newest attempt failed. PostgreSQL repeats a failed
 * attempt every minute, and reports no reason outside its log.
 */
export function archivingFailure({ isOn, lastSuccessAt, lastFailureAt }: Archiving): string | null {
  if (!isOn || lastFailureAt === null || (lastSuccessAt !== null && lastSuccessAt >= lastFailureAt)) return null
  const success = lastSuccessAt ? `The last success was at ${toWire(lastSuccessAt)}.` : 'No attempt succeeded.'
  return (
    `PostgreSQL fails to archive its write-ahead log, last at ${toWire(lastFailureAt)}. ${success} ` +
    'Correct archive_command. The log of PostgreSQL states the reason.'
  )
}
