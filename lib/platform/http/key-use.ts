import { db, type Sql } from '../db/db.ts'
import { log } from '../log.ts'
import { shortError } from '../short-error.ts'

/** Records the last use of API keys. Requests note each use in memory, and one later statement writes all noted uses. */

/** A use is not written if the recorded use is less than this number of milliseconds old. */
const recordedEveryMs = 10 * 60_000
const writtenAfterMs = 10_000

const noted = new Map<string, number>()
let timer: NodeJS.Timeout | undefined

export function noteUse(keyId: string, { at, recordedAt }: { at: number; recordedAt: number }): void {
  if (at - recordedAt < recordedEveryMs || noted.has(keyId)) return
  noted.set(keyId, at)
  timer ??= setTimeout(writeLater, writtenAfterMs).unref()
}

function writeLater(): void {
  writeUses().catch((error) => log.warn({ error: shortError(error) }, 'the last uses of API keys could not be written'))
}

/**
 * Writes all noted uses of API keys. A use that cannot be written is dropped, because the next use of the key is noted
 * again.
 */
export async function writeUses(sql: Sql = db()): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const uses = JSON.stringify([...noted].map(([id, at]) => ({ id, at: new Date(at) })))
  if (noted.size === 0) return
  noted.clear()
  // Skips locked keys, so that processes do not wait for each other.
  await sql.$executeRaw`
    WITH uses AS (
      SELECT k.id, u.at FROM json_to_recordset(${uses}::json) AS u (id text, at timestamptz) JOIN api_keys k ON k.id = u.id COLLATE "C"
      WHERE k.last_used_at IS NULL OR k.last_used_at <= u.at - ${recordedEveryMs}::int * interval '1 millisecond'
      FOR NO KEY UPDATE OF k SKIP LOCKED)
    UPDATE api_keys SET last_used_at = uses.at FROM uses WHERE api_keys.id = uses.id`
}
