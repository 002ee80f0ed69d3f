import { makeId } from '../../kernel/ids.ts'
import type { Sql } from '../../platform/db/db.ts'

/**
 * Up to where old rows were removed. What was made before a horizon may be gone, so nothing may conclude anything from its
 * absence; what was made since is all there.
 */

export const removedKinds = ['deliveries', 'events', 'emails'] as const
export type RemovedKind = (typeof removedKinds)[number]

const prefixes = { deliveries: 'delivery_', events: 'webhook_event_', emails: 'mail_' } as const

/** What the ids of these rows begin with. */
export const prefixOf = (kind: RemovedKind): string => prefixes[kind]

/** The smallest id that a row made at this moment or later can have. */
export const firstIdSince = (kind: RemovedKind, moment: Date): string =>
  makeId(prefixes[kind], Math.floor(moment.getTime() / 1000), 0n, 0n)

/**
 * Moves a horizon to a moment, or leaves it where it is if it is later: what was removed does not come back when rows are
 * to be kept for longer. Returns the id at which an unfinished walk continues, or an empty text.
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

/** Saves where a walk continues; an empty text after its end. */
export async function saveWalk(sql: Sql, kind: RemovedKind, walkedTo: string): Promise<void> {
  await sql.$executeRaw`UPDATE horizons SET walked_to = ${walkedTo} WHERE kind = ${kind}`
}
