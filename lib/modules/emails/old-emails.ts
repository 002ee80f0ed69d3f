import type { Sql } from '../../platform/db/db.ts'
import { nothingWalked, type OldRows, type Walked } from '../../platform/db/walk.ts'
import { firstIdSince } from '../events/horizons.ts'

/**
 * Deletes one page of old emails, starting after the id `after`. Keeps queued emails. Keeps an original email while one
 * of its resends is stored. Skips an email that is being resent, because the resend has locked the email.
 */
export async function removeOldEmails(sql: Sql, { before, after, limit }: OldRows): Promise<Walked> {
  const [row] = await sql.$queryRaw<Walked[]>`
    WITH old AS MATERIALIZED (
      SELECT id FROM emails WHERE id > ${after} AND id < ${firstIdSince('emails', before)} AND created_at < ${before}
      ORDER BY id LIMIT ${limit}::int),
    over AS MATERIALIZED (
      SELECT id FROM emails WHERE id = ANY (ARRAY(SELECT id FROM old)) AND status <> 'queued'
        AND NOT EXISTS (SELECT 1 FROM emails again WHERE again.original_id = emails.id)
      FOR UPDATE SKIP LOCKED),
    gone AS (DELETE FROM emails WHERE id = ANY (ARRAY(SELECT id FROM over)) RETURNING 1)
    SELECT (SELECT count(*)::int FROM old) AS seen, (SELECT count(*)::int FROM gone) AS removed, (SELECT max(id) FROM old) AS last`
  return row ?? nothingWalked
}
