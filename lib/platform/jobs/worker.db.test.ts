import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { deliverWebhook } from '../../modules/events/tasks.ts'
import { transact } from '../../modules/events/transact.ts'
import { aGate } from '../../testing/gate.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { shortenIntervals } from '../../testing/short-intervals.ts'
import { realNow } from '../clock/clock.ts'
import { db } from '../db/db.ts'
import { log } from '../log.ts'
import { secondsSinceLook } from './last-look.ts'
import { extendLeases } from './leases.ts'
import { runTask } from './run-task.ts'
import type { ClaimedTask, TaskRunner } from './task-runner.ts'
import { job, Reschedule, snoozeTask, type TaskContext, task } from './tasks.ts'
import { claimDueTasks, startWorker, stopWorker } from './worker.ts'

const note = task('test.note', z.object({ text: z.string() }), { clock: 'real' })
const email = task('test.email', z.object({}), { clock: 'real', queue: 'email' })
const look = task('test.look', z.object({}), { clock: 'real', coalesce: true })
const leaseMs = 90_000
let tenant: Shop['scope']
let operation: (tenant: TaskContext, text: string) => Promise<unknown>
const jobs = new Map([[note.name, job(note, (taskScope, { text }) => operation(taskScope, text))]])

const embedded: TaskRunner = {
  leaseMs,
  run: async (task) => {
    await runTask(jobs, task)
  },
}

const write = (taskScope: TaskContext, text: string, result?: unknown) =>
  transact(taskScope, async ({ sql, now, newId, storefrontId, testmode }) => {
    await sql.customers.create({
      data: {
        id: newId('customer_'),
        storefront_id: storefrontId,
        testmode,
        email: `${text}@a.example`,
        created_at: now,
      },
    })
    return result
  })

const written = async () =>
  (await db().customers.findMany({ orderBy: { id: 'asc' } })).map(({ email }) => email.split('@')[0])

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

beforeEach(async () => {
  await db().tasks.deleteMany()
  await db().customers.deleteMany()
  operation = (taskScope, text) => write(taskScope, text)
})

afterEach(async () => {
  vi.restoreAllMocks()
  await stopWorker()
})

describe('claims', () => {
  it('each task is claimed by exactly one of many concurrent workers', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, n) => put(`task ${n}`)))
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimDueTasks('work', 20, leaseMs)))
    const ids = claims.flat().map(({ taskId }) => taskId)
    expect(new Set(ids).size).toBe(ids.length)
    ids.push(...(await claimDueTasks('work', 100, leaseMs)).map(({ taskId }) => taskId))
    expect(ids).toHaveLength(60)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('a claim of due tasks skips rows that another transaction has locked', async () => {
    await put('a')
    await put('b')
    await db().$transaction(async (sql) => {
      await sql.$queryRaw`SELECT 1 FROM tasks WHERE key = 'a' FOR UPDATE`
      const claimed = await claimDueTasks('work', 10, leaseMs)
      expect(claimed.map(({ taskId }) => taskId)).toEqual([(await row('b'))?.id])
    })
  })

  it('a claim returns at most the requested number of due tasks, oldest first', async () => {
    const now = Date.now()
    for (const [key, ms] of [
      ['b', -2_000],
      ['a', -3_000],
      ['c', -1_000],
      ['d', 60_000],
    ] as const)
      await put(key, new Date(now + ms))
    const claimed = [...(await claimDueTasks('work', 2, leaseMs)), ...(await claimDueTasks('work', 2, leaseMs))]
    const keys = await Promise.all(
      claimed.map(async ({ taskId }) => (await db().tasks.findUnique({ where: { id: taskId } }))?.key),
    )
    expect(keys).toEqual(['a', 'b', 'c'])
  })

  it('a claim of due tasks returns only tasks of its own queue', async () => {
    await put('own')
    await transact(tenant, ({ enqueue, now }) =>
      enqueue(deliverWebhook, { key: 'delivery', data: { deliveryId: 'delivery', before: 0 }, dueAt: now }),
    )
    await transact(tenant, ({ enqueue, now }) => enqueue(email, { key: 'email', data: {}, dueAt: now }))
    expect((await claimDueTasks('email', 10, leaseMs)).map(({ name }) => name)).toEqual([email.name])
    expect((await claimDueTasks('webhooks', 10, leaseMs)).map(({ name }) => name)).toEqual([deliverWebhook.name])
    expect((await claimDueTasks('work', 10, leaseMs)).map(({ name }) => name)).toEqual([note.name])
  })
})

describe('duplicate tasks', () => {
  const again = (kind: typeof look | typeof email) =>
    transact(tenant, ({ enqueue }) => enqueue(kind, { key: 'the same', data: {}, dueAt: realNow() }))
  const one = async () => {
    const [only, ...others] = await db().tasks.findMany({ where: { key: 'the same' } })
    expect(others).toEqual([])
    return { claim_version: only?.claim_version, leased: only?.leased_until !== null }
  }

  it('a new task replaces the earlier task with the same key, and makes the claim of the earlier task stale', async () => {
    await again(email)
    await claimDueTasks('email', 1, leaseMs)
    expect(await one()).toEqual({ claim_version: 1, leased: true })
    await again(email)
    expect(await one()).toEqual({ claim_version: 2, leased: false })
  })

  it('a task of a coalescing type is dropped while a task with the same key is running', async () => {
    await again(look)
    await again(look)
    expect(await one()).toEqual({ claim_version: 1, leased: false })
    await claimDueTasks('work', 1, leaseMs)
    await again(look)
    expect(await one()).toEqual({ claim_version: 2, leased: true })
    await passed(leaseMs)
    await again(look)
    expect(await one()).toEqual({ claim_version: 3, leased: false })
  })
})

describe('task runs', () => {
  it('running a task commits its change and deletes the task', async () => {
    await put('a')
    expect(await runTask(jobs, await claimOne())).toBe(true)
    expect(await written()).toEqual(['a'])
    expect(await row('a')).toBeNull()
  })

  it('a failed run is logged and retried after 2 s, 4 s, ... 5 min until it succeeds', async () => {
    const logged = vi.spyOn(log, 'error').mockImplementation(() => undefined)
    await put('a')
    operation = async (taskScope) =>
      transact(taskScope, async () => {
        throw new Error('the world is down')
      })
    for (const [n, seconds] of [2, 4, 8, 16, 32, 64, 128, 256, 300, 300].entries()) {
      const task = await claimOne()
      await isDueAfter(seconds, 'a', async () => expect(await runTask(jobs, task)).toBe(false))
      const failed = { attempts: n + 1, last_error: 'Error: the world is down', leased_until: null }
      expect(await row('a')).toMatchObject(failed)
      await passed(-3_600_000)
      expect(await claimDueTasks('work', 1, leaseMs)).toEqual([])
      await passed(3_900_000)
    }
    expect(logged).toHaveBeenCalledTimes(10)
    operation = (taskScope, text) => write(taskScope, text)
    expect(await runTask(jobs, await claimOne())).toBe(true)
    expect(await written()).toEqual(['a'])
  })

  it('a task of a killed process runs again only after its lease ends', async () => {
    await put('a')
    const dead = await claimOne()
    expect(await claimDueTasks('work', 1, leaseMs)).toEqual([])
    await passed(leaseMs)
    const alive = await claimOne()
    expect(alive).toEqual({ ...dead, claimVersion: dead.claimVersion + 1 })
    expect(await runTask(jobs, alive)).toBe(true)
    expect(await runTask(jobs, dead)).toBe(false) // The process that seemed dead now runs its task.
    expect(await written()).toEqual(['a'])
  })

  it('a task run changes nothing and logs no error if its claim becomes stale', async () => {
    await put('a')
    const slow = await claimOne()
    const [reached, proceed] = [aGate(), aGate()]
    operation = (taskScope) =>
      transact(taskScope, async ({ sql, now, newId, emit, storefrontId, testmode }) => {
        await sql.customers.create({
          data: {
            id: newId('customer_'),
            storefront_id: storefrontId,
            testmode,
            email: 'slow@a.example',
            created_at: now,
          },
        })
        await emit({ name: 'order.paid', object: { id: 'order_slow' } })
        reached.open()
        await proceed.opened
      })
    const running = runTask(jobs, slow)
    await reached.opened
    await passed(leaseMs)
    const quick = await claimOne()
    proceed.open()
    expect(await running).toBe(false)
    expect(await row('a')).toMatchObject({ claim_version: quick.claimVersion, last_error: null })
    expect(await written()).toEqual([])
    expect(await db().events.count({ where: { entity_id: 'order_slow' } })).toBe(0)
  })

  it('a replaced task does not run, and its replacement runs with its own data', async () => {
    await put('a')
    const old = await claimOne()
    await transact(tenant, ({ enqueue }) => enqueue(note, { key: 'a', data: { text: 'newer' }, dueAt: realNow() }))
    expect(await runTask(jobs, old)).toBe(false)
    expect(await runTask(jobs, await claimOne())).toBe(true)
    expect(await written()).toEqual(['newer'])
  })

  it('an operation that returns Reschedule commits its change and postpones the task', async () => {
    await put('a')
    const later = new Date(Date.now() + 3_600_000)
    operation = (taskScope, text) => write(taskScope, text, new Reschedule(later))
    await runTask(jobs, await claimOne())
    expect(await written()).toEqual(['a'])
    expect(await row('a')).toMatchObject({
      due_at: later,
      run_at: later,
      leased_until: null,
      attempts: 0,
      last_error: null,
    })
  })

  it('a task is logged as an error and not deleted if no job handles its type or if its data is invalid', async () => {
    await put('a')
    expect(await runTask(new Map(), await claimOne())).toBe(false)
    expect((await row('a'))?.last_error).toContain('no job does test.note')
    await db().$executeRaw`UPDATE tasks SET data = '{}'`
    await passed(leaseMs)
    expect(await runTask(jobs, await claimOne())).toBe(false)
    expect((await row('a'))?.last_error).toContain('ZodError')
  })
})

describe('worker', () => {
  it('the worker runs a task outside the async context of the call that woke the worker', async () => {
    const context = new AsyncLocalStorage<string>()
    let seen: string | undefined = 'not run'
    operation = async (taskScope, text) => {
      seen = context.getStore()
      return write(taskScope, text)
    }
    startWorker(embedded, embedded)
    await context.run('a request', () => put('a'))
    await expect.poll(written).toEqual(['a'])
    expect(seen).toBeUndefined()
  })

  it('the worker runs a new task immediately after the transaction commits, without waiting for the next poll', async () => {
    // The interval never ends, so the worker does not poll. A fake timer would not help, because `expect.poll` advances
    // fake timers.
    const { setInterval: real } = globalThis
    vi.spyOn(globalThis, 'setInterval').mockImplementation(() => real(() => undefined, 2 ** 31 - 1))
    startWorker(embedded, embedded)
    for (let n = 0; n < 10; n++) await put(`task ${n}`)
    await expect.poll(async () => (await written()).length).toBe(10)
    await expect.poll(() => db().tasks.count()).toBe(0)
    await stopWorker()
  })

  it('the worker records the time of its last look for due tasks, and continues to do so after a database failure', async () => {
    await db().rate_limits.deleteMany()
    shortenIntervals()
    startWorker(embedded, embedded)
    await expect.poll(secondsSinceLook).toBe(0)
    await db().rate_limits.deleteMany()
    const error = vi.spyOn(log, 'error').mockImplementation(() => undefined)
    const query = vi.spyOn(db(), '$queryRaw').mockRejectedValue(new Error('away'))
    await expect.poll(() => query.mock.calls.length).toBeGreaterThan(5)
    query.mockRestore()
    await expect.poll(secondsSinceLook).toBe(0)
    expect(error.mock.calls).toEqual([[{ error: 'Error: away' }, 'due tasks could not be read']])
  })

  it('the worker runs all of 200 due tasks', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, n) => put(`task ${n}`)))
    startWorker(embedded, embedded)
    await expect.poll(() => db().tasks.count()).toBe(0)
    expect((await written()).length).toBe(200)
  })

  it('hanging deliveries do not block the work queue', async () => {
    await Promise.all(
      Array.from({ length: 150 }, (_, n) =>
        transact(tenant, ({ enqueue, now }) =>
          enqueue(deliverWebhook, { key: `hangs ${n}`, data: { deliveryId: 'x', before: 0 }, dueAt: now }),
        ),
      ),
    )
    const { open, opened } = aGate()
    const runner: TaskRunner = {
      leaseMs,
      run: (task) => (task.name === deliverWebhook.name ? opened : embedded.run(task)),
    }
    startWorker(runner, runner)
    await expect.poll(() => db().tasks.count({ where: { leased_until: { not: null } } })).toBeGreaterThan(64)
    await put('renewal')
    await expect.poll(written).toEqual(['renewal'])
    open()
  })

  it('the worker extends the lease of a task until the task ends', async () => {
    const { open, opened } = aGate()
    operation = (taskScope, text) => opened.then(() => write(taskScope, text))
    await put('a')
    shortenIntervals()
    startWorker(embedded, embedded)
    const lease = async () => (await row('a'))?.leased_until?.getTime() ?? 0
    await expect.poll(lease).toBeGreaterThan(0)
    // Prolongs the lease to an hour, twice. Each time, the worker's next extension must replace this lease, because the task is still running.
    for (let signs = 0; signs < 2; signs++) {
      await db().$executeRaw`
        UPDATE tasks SET leased_until = now() + interval '1 hour', run_at = now() + interval '1 hour'`
      await expect.poll(async () => (await lease()) - Date.now()).toBeLessThan(10_000)
    }
    expect(await claimDueTasks('work', 1, leaseMs)).toEqual([])
    open()
    await expect.poll(written).toEqual(['a'])
    expect(await row('a')).toBeNull()
  })

  it('the worker does not extend the lease of a stale or released claim', async () => {
    await put('a')
    const old = await claimOne()
    await passed(leaseMs)
    const newer = await claimOne()
    const before = await row('a')
    await extendLeases([old])
    expect(await row('a')).toEqual(before)
    await snoozeTask(db(), newer, { ms: 60_000, mostMs: 60_000 })
    await extendLeases([newer])
    expect(await row('a')).toMatchObject({ leased_until: null })
  })

  it('the worker waits for running tasks and starts no new task while it stops', async () => {
    const [reached, proceed] = [aGate(), aGate()]
    operation = async (taskScope, text) => {
      reached.open()
      await proceed.opened
      return write(taskScope, text)
    }
    await put('a')
    startWorker(embedded, embedded)
    await reached.opened
    const stopped = stopWorker()
    await put('b')
    proceed.open()
    await stopped
    expect(await written()).toEqual(['a'])
    expect(await row('b')).toMatchObject({ claim_version: 0 })
  })
})
