import type { Sql } from '../../platform/db/db.ts'
import { fragment, rawFragment } from '../../platform/db/fragment.ts'

/** Waiting and failed deliveries and emails of one storefront and mode. */
export interface Backlog {
  readonly storefrontId: string
  readonly storefront: string
  readonly testmode: boolean
  readonly waiting: number
  readonly oldestAt: Date | null
  readonly failed: number
}

/** Counts of a backlog end here, so that it is read as fast however long it is. */
export const mostWaiting = 1_000

const states = {
  deliveries: { waiting: 'pending', failed: 'failed' },
  emails: { waiting: 'queued', failed: 'refused' },
} as const

/**
 * Of all storefronts and modes, where deliveries or emails wait or have failed: how many, up to `mostWaiting`, and since
 * when the oldest waits. Those where the oldest waits longest come first, at most `take`.
 */
export async function backlogs(sql: Sql, table: keyof typeof states, take: number): Promise<Backlog[]> {
  const { waiting, failed } = states[table]
  const newest = (status: string) => fragment`
    SELECT created_at FROM ${rawFragment(table)} WHERE storefront_id = s.id AND testmode = mode.testmode AND status = ${status}
    ORDER BY id LIMIT ${mostWaiting}`
  const rows = await sql.$queryRaw<
    { id: string; name: string; testmode: boolean; waiting: number; oldest_at: Date | null; failed: number }[]
  >`
    SELECT s.id, s.name, mode.testmode, waiting.count AS waiting, waiting.oldest_at, failed.count AS failed
    FROM storefronts s CROSS JOIN (VALUES (true), (false)) mode (testmode),
    LATERAL (SELECT count(*)::int AS count, min(created_at) AS oldest_at FROM (${newest(waiting)}) found) waiting,
    LATERAL (SELECT count(*)::int AS count FROM (${newest(failed)}) found) failed
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
