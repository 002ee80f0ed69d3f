import type { Sql } from '../../platform/db/db.ts'
import { fragment, rawFragment } from '../../platform/db/fragment.ts'

export interface Backlog {
  readonly storefrontId: string
  readonly storefront: string
  readonly testmode: boolean
  readonly waiting: number
  readonly oldestAt: Date | null
  readonly failed: number
}

/**
 * The largest number that is shown. Each count stops at one more than this number, so that a long backlog is counted
 * fast.
 */
export const mostWaiting = 1_000

const states = {
  deliveries: { waiting: 'pending', failed: 'failed' },
  emails: { waiting: 'queued', failed: 'refused' },
} as const

/** Returns the backlogs. The backlog with the oldest waiting item comes first. */
export async function backlogs(sql: Sql, table: keyof typeof states, take: number): Promise<Backlog[]> {
  const { waiting, failed } = states[table]
  const oldest = (status: string) => fragment`
    SELECT created_at FROM ${rawFragment(table)} WHERE storefront_id = s.id AND testmode = mode.testmode AND status = ${status}
    ORDER BY id LIMIT ${mostWaiting + 1}::int`
  const rows = await sql.$queryRaw<
    { id: string; name: string; testmode: boolean; waiting: number; oldest_at: Date | null; failed: number }[]
  >`
    SELECT s.id, s.name, mode.testmode, waiting.count AS waiting, waiting.oldest_at, failed.count AS failed
    FROM storefronts s CROSS JOIN (VALUES (true), (false)) mode (testmode),
    LATERAL (SELECT count(*)::int AS count, min(created_at) AS oldest_at FROM (${oldest(waiting)}) found) waiting,
    LATERAL (SELECT count(*)::int AS count FROM (${oldest(failed)}) found) failed
    WHERE waiting.count + failed.count > 0
    ORDER BY waiting.oldest_at NULLS LAST, failed.count DESC, s.id, mode.testmode LIMIT ${take}`
  return rows.map(({ id, name, testmode, waiting, oldest_at, failed }) => ({
    storefrontId: id,
    storefront: name,
    testmode,
    waiting,
    oldestAt: oldest_at,
    failed,
  }))
}
