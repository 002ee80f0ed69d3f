import type { Sql } from '../../platform/db/db.ts'
import { fragment, rawFragment } from '../../platform/db/fragment.ts'

export interface Backlog {
  readonly storefrontId: string
  readonly storefront: string
  readonly testmode: boolean
  readonly waiting: number
  readonly oldestAt: Date | null
  readonly failed: number
  /** The number of emails that were not sent, because the key that encrypted them is not configured. 0 for deliveries. */
  readonly unreadable: number
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
    {
      id: string
      name: string
      testmode: boolean
      waiting: number
      oldest_at: Date | null
      failed: number
      unreadable: number
    }[]
  >`
    SELECT s.id, s.name, mode.testmode, waiting.count AS waiting, waiting.oldest_at, failed.count AS failed, unreadable.count AS unreadable
    FROM storefronts s CROSS JOIN (VALUES (true), (false)) mode (testmode),
    LATERAL (SELECT count(*)::int AS count, min(created_at) AS oldest_at FROM (${oldest(waiting)}) found) waiting,
    LATERAL (SELECT count(*)::int AS count FROM (${oldest(failed)}) found) failed,
    LATERAL (SELECT count(*)::int AS count FROM (${oldest('unreadable')}) found) unreadable
    WHERE waiting.count + failed.count + unreadable.count > 0
    ORDER BY waiting.oldest_at NULLS LAST, failed.count + unreadable.count DESC, s.id, mode.testmode LIMIT ${take}`
  return rows.map(({ id, name, testmode, waiting, oldest_at, failed, unreadable }) => ({
    storefrontId: id,
    storefront: name,
    testmode,
    waiting,
    oldestAt: oldest_at,
    failed,
    unreadable,
  }))
}
