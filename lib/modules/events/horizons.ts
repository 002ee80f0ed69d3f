import { makeId } from '../../kernel/ids.ts'
import type { Sql } from '../../platform/db/db.ts'

/** A horizon is the time before which old rows may have been deleted. */

export const removedKinds = ['deliveries', 'events', 'emails'] as const
export type RemovedKind = (typeof removedKinds)[number]

const prefixes = { deliveries: 'delivery_', events: 'webhook_event_', emails: 'mail_' } as const

export const prefixOf = (kind: RemovedKind): string => prefixes[kind]

export const firstIdSince = (kind: RemovedKind, moment: Date): string =>
  makeId(prefixes[kind], Math.floor(moment.getTime() / 1000), 0n, 0n)

/**
 * Moves the horizon, the time before which old rows may have been deleted, forward but never back, because deleted rows
 * do not return. Returns the id that an unfinished deletion has reached, or ''.
 */
export async function moveHorizon(sql: Sql, kind: RemovedKind, before: Date): Promise<string> {
  const beforeId = firstIdSince(kind, before).slice(prefixes[kind].length)
  const [row] = await sql.$queryRaw<{ walked_to: string }[]>`
    INSERT INTO horizons AS kept (kind, before, before_id, walked_to) VALUES (${kind}, ${before}, ${beforeId}, '')
    ON CONFLICT (kind) DO UPDATE SET before = greatest(kept.before, EXCLUDED.before),
      before_id = greatest(kept.before_id, EXCLUDED.before_id)
    RETURNING walked_to`
  return row?.walked_to ?? ''
}

export async function saveWalk(sql: Sql, kind: RemovedKind, walkedTo: string): Promise<void> {
  await sql.$executeRaw`UPDATE horizons SET walked_to = ${walkedTo} WHERE kind = ${kind}`
}
