import type { Sql } from '../platform/db.ts'

/** The clock of a storefront's test mode, locked. */
export async function lockClock(
  sql: Sql,
  storefrontId: string,
): Promise<{ advancingTo: Date | null; movedBy: string | null } | null> {
  await sql.$queryRaw`SELECT 1 FROM clocks WHERE storefront_id = ${storefrontId} FOR UPDATE`
  const row = await sql.clocks.findUnique({ where: { storefront_id: storefrontId } })
  return row && { advancingTo: row.advancing_to, movedBy: row.moved_by }
}

/** Stops the clock at `now`, to be moved to `target`. */
export async function beginMove(
  sql: Sql,
  storefrontId: string,
  { now, target, movedBy }: { now: Date; target: Date; movedBy: string | null },
): Promise<void> {
  const data = { frozen_at: now, advancing_to: target, moved_by: movedBy, driver: null, driven_until: null }
  await sql.clocks.update({ where: { storefront_id: storefrontId }, data })
}

/** The call that moved the clock has its answer: its idempotency key, once free again, moves the clock anew. */
export async function forgetMover(sql: Sql, storefrontId: string, movedBy: string): Promise<void> {
  await sql.clocks.updateMany({ where: { storefront_id: storefrontId, moved_by: movedBy }, data: { moved_by: null } })
}
