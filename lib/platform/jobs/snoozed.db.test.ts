import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { transact } from '../../modules/events/transact.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { realNow } from '../clock/clock.ts'
import { db } from '../db/db.ts'
import type { ClaimedTask } from './task-runner.ts'
import { snoozeTask, task } from './tasks.ts'
import { claimDueTasks, stopWorker } from './worker.ts'

const note = task('test.note', z.object({ text: z.string() }), { clock: 'real' })
const leaseMs = 90_000
let tenant: Shop['scope']

const put = (key: string, dueAt = realNow()) =>
  transact(tenant, ({ enqueue }) => enqueue(note, { key, data: { text: key }, dueAt }))

const row = (key: string) => db().tasks.findFirst({ where: { key } })

const claimOne = async (): Promise<ClaimedTask> => {
  const [task] = await claimDueTasks('work', 1, leaseMs)
  if (!task) throw new Error('nothing is due')
  return task
}

/** Simulates that `n` + 1 ms have passed. The extra millisecond covers the rounding of the database. */
const passed = (n: number) =>
  db()
    .$executeRaw`UPDATE tasks SET run_at = run_at - ${n + 1}::int * interval '1 millisecond', leased_until = leased_until - ${n + 1}::int * interval '1 millisecond'`

/** Runs `doing` and expects the task to be due `seconds` later, within 1 ms for the rounding of the database. */
async function isDueAfter(seconds: number, key: string, doing: () => Promise<unknown>): Promise<void> {
  const before = Date.now()
  await doing()
  const after = Date.now()
  const runAt = (await row(key))?.run_at.getTime()
  expect(runAt).toBeGreaterThanOrEqual(before + seconds * 1000 - 1)
  expect(runAt).toBeLessThanOrEqual(after + seconds * 1000 + 1)
}

beforeAll(async () => {
  tenant = (await aShop()).scope
})

afterEach(async () => {
  vi.restoreAllMocks()
  await stopWorker()
})

describe('snoozed tasks', () => {
  const runNow = (key: string) => transact(tenant, (tx) => tx.runNow(note, key))

  it('each snooze of a task doubles its delay up to the maximum', async () => {
    await put('a')
    for (const seconds of [1, 2, 4, 8, 10, 10]) {
      const task = await claimOne()
      await isDueAfter(seconds, 'a', () => snoozeTask(db(), task, { ms: 1_000, mostMs: 10_000 }))
      await passed(10_000)
    }
  })

  it('runNow ends the delay of a snoozed task', async () => {
    await put('a')
    await snoozeTask(db(), await claimOne(), { ms: 60_000, mostMs: 60_000 })
    await runNow('a')
    expect((await claimDueTasks('work', 1, leaseMs)).length).toBe(1)
  })

  it('runNow does not start a task that is running', async () => {
    await put('a')
    await claimOne()
    await runNow('a')
    expect(await claimDueTasks('work', 1, leaseMs)).toEqual([])
  })

  it('a stale claim cannot snooze a task', async () => {
    await put('a')
    const old = await claimOne()
    await put('a')
    await snoozeTask(db(), old, { ms: 60_000, mostMs: 60_000 })
    expect((await claimDueTasks('work', 1, leaseMs)).length).toBe(1)
  })
})
