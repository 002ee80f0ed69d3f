import { describe, expect, it, onTestFinished } from 'vitest'
import { transact } from '../../modules/events/transact.ts'
import { db } from '../../platform/db/db.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import type { ClaimedTask } from '../../platform/jobs/task-runner.ts'
import { claimDueTasks, startWorker } from '../../platform/jobs/worker.ts'
import { clockTimers, day, free, hour, hours, minute, timer } from '../../testing/clock-timers.ts'
import { aGate } from '../../testing/gate.ts'
import { advanceByDuration } from './operations.ts'

const timers = clockTimers()
const { clock, put, row, runner, jobs } = timers

describe('two advances of one clock', () => {
  it('if two clock advances are concurrent, one moves the clock and the other gets 409', async () => {
    const { open, opened } = aGate()
    onTestFinished(open)
    // The gate is outside the transaction of the task, because this transaction locks the clock.
    const gated = { ...runner, run: (task: ClaimedTask) => opened.then(() => runner.run(task)) }
    await put('a', hour)
    const moves = [1, 2].map(() => advanceByDuration(timers.tenant, hours(24), gated))
    const refusal = await Promise.any(
      moves.map((move) =>
        move.then(
          () => Promise.reject(),
          (error: unknown) => error,
        ),
      ),
    )
    expect(refusal).toMatchObject({ code: 'clock_busy' })
    open()
    expect((await Promise.allSettled(moves)).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(timers.ran).toEqual([['a', 3_600]])
    expect((await clock()).getTime() - timers.now.getTime()).toBeLessThan(25 * hour)
  })

  it('two consecutive clock advances move the clock by the sum of their durations', async () => {
    await advanceByDuration(timers.tenant, hours(24), runner)
    await advanceByDuration(timers.tenant, hours(24), runner)
    const moved = (await clock()).getTime() - timers.now.getTime()
    expect(moved).toBeGreaterThanOrEqual(2 * day)
    expect(moved).toBeLessThan(2 * day + minute)
  })
})

describe('an advance and concurrent work', () => {
  it('a clock advance waits for a transaction that has read the time, so that the transaction schedules no task in the past', async () => {
    const [reached, proceed] = [aGate(), aGate()]
    const writing = transact(timers.tenant, async ({ enqueue }) => {
      reached.open()
      await proceed.opened
      await enqueue(timer, {
        key: timers.keyOf('mine'),
        data: { name: 'mine' },
        dueAt: timers.at(hour),
      })
    })
    await reached.opened
    const moving = advanceByDuration(timers.tenant, hours(24), runner)
    const waiting = async () =>
      Number(
        (
          await db().$queryRaw<
            { n: bigint }[]
          >`SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
        )[0]?.n,
      )
    await expect.poll(waiting).toBe(1)
    proceed.open()
    await writing
    expect(await moving).toMatchObject({ ran: 1 })
    expect(timers.ran).toEqual([['mine', 3_600]])
  })

  it('a clock advance waits for a task that a worker is running', async () => {
    await put('claimed', 0)
    const [claimed] = await claimDueTasks('work', 1, 90_000)
    await put('after', hour)
    const moving = advanceByDuration(timers.tenant, hours(24), runner)
    await expect.poll(async () => (await row()).advancing_to).not.toBeNull()
    if (!claimed) throw new Error('no task was due')
    await runTask(jobs, claimed)
    await moving
    expect(timers.ran.map(([name]) => name)).toEqual(['claimed', 'after'])
  })

  it('during a clock advance, the worker does not run the tasks of the storefront', async () => {
    await put('a', 0)
    await advanceByDuration(timers.tenant, hours(24), runner, 0)
    expect(await claimDueTasks('work', 10, 90_000)).toEqual([])
  })
})

describe('new tasks during an advance', () => {
  const mine = () => db().tasks.count({ where: { storefront_id: timers.shop.storefrontId } })

  it('new tasks run at their times, and an endless sequence of tasks cannot prolong a clock advance', async () => {
    let n = 0
    // Each task enqueues a task that is due immediately.
    timers.operation = async () => {
      const at = await clock()
      await put(`sold ${++n}`, at.getTime() - timers.now.getTime())
    }
    await put('a', hour)
    await put('b', 2 * hour)
    const answer = await advanceByDuration(timers.tenant, hours(24), runner)
    expect(timers.ran.filter(([name]) => name.length === 1)).toEqual([
      ['a', 3_600],
      ['b', 7_200],
    ])
    expect(answer.ran).toBeGreaterThan(4)
    expect(answer.remaining).toBeGreaterThan(0)
    expect((await clock()).getTime() - timers.now.getTime()).toBeGreaterThanOrEqual(day)
    expect(await row()).toMatchObject({ advancing_to: null, touched_at: null })
    timers.operation = async () => undefined
    startWorker(runner, runner)
    await expect.poll(mine).toBe(0)
  })

  it('a task that a clock advance creates but does not run belongs to the next clock advance', async () => {
    timers.operation = async (_, name) => {
      if (name === 'first') await put('called', 90 * minute)
    }
    await put('first', hour)
    await advanceByDuration(timers.tenant, { by: { minutes: 70 } }, runner)
    expect((await db().tasks.findFirst({ where: { storefront_id: timers.shop.storefrontId } }))?.beside).toBe(true)
    expect(await advanceByDuration(timers.tenant, hours(24), runner, 0)).toMatchObject({ ran: 0, remaining: 1 })
    expect((await db().tasks.findFirst({ where: { storefront_id: timers.shop.storefrontId } }))?.beside).toBe(false)
    startWorker(runner, runner)
    await expect.poll(async () => (await row()).advancing_to).toBeNull()
    expect(timers.ran).toEqual([
      ['first', 3_600],
      ['called', 5_400],
    ])
  })

  it('a transaction that starts during a clock advance waits for the advance', async () => {
    const [first, second] = [aGate(), aGate()]
    const holding = transact(timers.tenant, () => first.opened)
    const waiting = async () => {
      const [row] = await db().$queryRaw<{ n: number }[]>`
        SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return row?.n
    }
    const held = () => db().$queryRaw`
      SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE locktype = 'advisory' AND datname = current_database()`
    await expect.poll(held).toHaveLength(1)
    const moving = advanceByDuration(timers.tenant, hours(24), runner)
    await expect.poll(waiting).toBe(1)
    const coming = transact(timers.tenant, async (tx) => {
      second.open()
      return tx.now
    })
    await expect.poll(waiting).toBe(2)
    first.open()
    await holding
    await second.opened
    expect((await coming).getTime()).toBeGreaterThanOrEqual(timers.now.getTime())
    expect(await moving).toMatchObject({ remaining: 0 })
  })
})

describe('tasks of the same time', () => {
  it('tasks that are due at the same time run concurrently only if their order does not matter', async () => {
    const [first, second] = [aGate(), aGate()]
    const gates = new Map([
      ['one', { mine: first, other: second }],
      ['other', { mine: second, other: first }],
    ])
    let atOnce = 0
    timers.operation = async (_, name) => {
      const gate = gates.get(name)
      gate?.mine.open()
      await gate?.other.opened
      if (gate) return
      expect(++atOnce).toBe(1)
      await Promise.resolve()
      atOnce--
    }
    const dueAt = timers.at(hour)
    await transact(timers.tenant, ({ enqueueAll }) =>
      enqueueAll(
        free,
        [...gates.keys()].map((name) => ({ key: timers.keyOf(name), data: { name }, dueAt })),
      ),
    )
    await put('a', 2 * hour)
    await put('b', 2 * hour)
    expect(await advanceByDuration(timers.tenant, hours(24), runner)).toMatchObject({ ran: 4, remaining: 0 })
    expect(timers.ran.slice(2)).toEqual([
      ['a', 7_200],
      ['b', 7_200],
    ])
  })
})
