import type { Sql } from '../../platform/db/db.ts'
import { nothingWalked, type OldRows, type Walked } from '../../platform/db/walk.ts'
import { firstIdSince } from '../events/horizons.ts'

/**
 * Old rows are found by their primary key, which begins with the creation time on the storefront's clock. A test clock
 * is never behind real time, so no row is removed too early.
 */

/**
 * Removes old deliveries, except pending deliveries and deliveries whose attempts are still stored. Skips a delivery
 * that is being re-sent, because its row is locked.
 */
export async function removeOldDeliveries(sql: Sql, { before, after, limit }: OldRows): Promise<Walked> {
  const [row] = await sql.$queryRaw<Walked[]>`
    WITH old AS MATERIALIZED (
      SELECT id FROM deliveries WHERE id > ${after} AND id < ${firstIdSince('deliveries', before)} AND created_at < ${before}
      ORDER BY id LIMIT ${limit}::int),
    over AS MATERIALIZED (
      SELECT id FROM deliveries WHERE id = ANY (ARRAY(SELECT id FROM old)) AND status <> 'pending'
        AND NOT EXISTS (SELECT 1 FROM delivery_attempts WHERE delivery_id = deliveries.id)
      FOR UPDATE SKIP LOCKED),
    gone AS (DELETE FROM deliveries WHERE id = ANY (ARRAY(SELECT id FROM over)) RETURNING 1)
    SELECT (SELECT count(*)::int FROM old) AS seen, (SELECT count(*)::int FROM gone) AS removed, (SELECT max(id) FROM old) AS last`
  return row ?? nothingWalked
}

/** Removes old events that have no delivery, because an existing event never gets new deliveries. */
export async function removeOldEvents(sql: Sql, { before, after, limit }: OldRows): Promise<Walked> {
  const [row] = await sql.$queryRaw<Walked[]>`
    WITH old AS MATERIALIZED (
      SELECT id FROM events WHERE id > ${after} AND id < ${firstIdSince('events', before)} AND created_at < ${before}
      ORDER BY id LIMIT ${limit}::int),
    gone AS (
      DELETE FROM events WHERE id = ANY (ARRAY(SELECT id FROM old))
        AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = events.id) RETURNING 1)
    SELECT (SELECT count(*)::int FROM old) AS seen, (SELECT count(*)::int FROM gone) AS removed, (SELECT max(id) FROM old) AS last`
  return row ?? nothingWalked
}
