import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { transact } from '../../modules/events/transact.ts'
import { readiness } from '../../server/readiness.ts'
import { lastingConnection } from '../../testing/lasting-connection.ts'
import { type RecordedQuery, recordedQueries, scansOf } from '../../testing/recorded-queries.ts'
import { aShop } from '../../testing/shop.ts'
import { realNow } from '../clock/clock.ts'
import { db } from '../db/db.ts'
import { dueByQueue } from './due-tasks.ts'
import { dueStreams } from './streams.ts'
import { task } from './tasks.ts'
import { claimDueTasks } from './worker.ts'

const note = task('test.waiting', z.object({}), { clock: 'real' })
const waiting = 3_000
const due = 3

// PostgreSQL may use the generic plan even if it reads many more rows, so the test forces this plan.
const run = lastingConnection('-c plan_cache_mode=force_generic_plan')

beforeAll(async () => {
  const shop = await aShop()
  await db().tasks.deleteMany()
  const month = realNow().getTime() + 30 * 86_400_000
  const tasks = Array.from({ length: waiting + due }, (_, n) => ({
    key: `task ${n}`,
    data: {},
    dueAt: n < due ? realNow() : new Date(month + n),
  }))
  await transact(shop.scope, ({ enqueueAll }) => enqueueAll(note, tasks))
  await db().$executeRawUnsafe('VACUUM ANALYZE tasks')
})

it.each<[string, () => Promise<unknown>]>([
  ['the claim of due tasks', () => claimDueTasks('work', 4, 1)],
  ['the query for due streams', dueStreams],
  ['the count of due tasks', dueByQueue],
  ['the query for the wait of the oldest task', readiness],
])('%s reads only due tasks, even if many tasks wait', async (_, ask) => {
  const queries = (await recordedQueries(ask)).filter(({ text }) => text.includes('run_at <='))
  expect(queries.length).toBeGreaterThan(0)
  for (const query of queries) expect(await rowsOfTasks(query)).toBeLessThan(waiting / 10)
})

it('a claim of due tasks reads only its own queue, even if many tasks of another queue are due', async () => {
  await db().$executeRaw`UPDATE tasks SET run_at = now()`
  await db().$executeRawUnsafe('VACUUM ANALYZE tasks')
  const [claim] = await recordedQueries(async () => {
    expect(await claimDueTasks('email', 4, 1)).toEqual([])
  })
  if (!claim) throw new Error('nothing was asked')
  expect(await rowsOfTasks(claim)).toBe(0)
})

async function rowsOfTasks(query: RecordedQuery): Promise<number> {
  const scans = (await scansOf(run, query)).filter(({ table }) => table === 'tasks')
  expect(scans.length).toBeGreaterThan(0)
  return scans.reduce((sum, { rows }) => sum + rows, 0)
}
