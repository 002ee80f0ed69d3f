import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { freePort } from '../../../scripts/embedded-postgres.mjs'
import { transact } from '../../modules/events/transact.ts'
import { readiness } from '../../server/readiness.ts'
import { configure } from '../../testing/configure.ts'
import { anInngestServer } from '../../testing/inngest-server.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { shortenIntervals } from '../../testing/short-intervals.ts'
import { realNow } from '../clock/clock.ts'
import * as config from '../config.ts'
import { db } from '../db/db.ts'
import { log } from '../log.ts'
import { serviceProblems } from '../outbound/service-problems.ts'
import { type Functions, inngestFunctions } from './inngest.ts'
import type { TaskServer } from './task-runner.ts'
import { batchJob, job, task } from './tasks.ts'
import { startWorker, stopWorker } from './worker.ts'

const note = task('test.handed_over', z.object({ text: z.string() }), { clock: 'real' })
const ran: string[] = []
const batches: number[] = []
const send = task('test.sent_slowly', z.object({ text: z.string() }), { clock: 'real', queue: 'email' })
const sending = { now: 0, most: 0, mayEnd: Promise.resolve(), end: () => {} }
const jobs = [
  job(send, async (tenant, { text }) => {
    sending.most = Math.max(sending.most, ++sending.now)
    await sending.mayEnd
    sending.now--
    await transact(tenant, async () => undefined)
    ran.push(text)
  }),
  batchJob(note, async (tenant, tasks) => {
    batches.push(tasks.length)
    const claims = tasks.map(({ claim }) => claim)
    await transact({ ...tenant, claim: claims }, async () => undefined)
    ran.push(...tasks.map(({ data }) => data.text))
    return claims
  }),
]

let server: Awaited<ReturnType<typeof anInngestServer>>
let functions: Functions
let shop: Shop
let aheadMs = 0
const realClock = performance.now.bind(performance)

beforeAll(async () => {
  server = await anInngestServer()
  configure(server.environment)
  shop = await aShop()
})
afterAll(() => server.close())

beforeEach(() => {
  aheadMs = 0
  shortenIntervals()
  vi.spyOn(performance, 'now').mockImplementation(() => realClock() + aheadMs)
  functions = inngestFunctions(jobs)
  server.app = functions
  server.behavior = 'runs'
  server.requests.length = 0
  ran.length = 0
  batches.length = 0
})
afterEach(async () => {
  sending.end()
  await stopWorker()
  await server.results()
  vi.restoreAllMocks()
  await db().tasks.deleteMany()
  serviceProblems().forget()
  await db().service_problems.deleteMany()
})

function configured(different: object): void {
  const set = config.config()
  if (!set.inngest) throw new Error('no server is configured')
  vi.spyOn(config, 'config').mockReturnValue({ ...set, inngest: { ...set.inngest, ...different } })
  functions = inngestFunctions(jobs)
  server.app = functions
}

const texts = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `${from + index}`)
const write = (some: readonly string[], kind = note) =>
  transact(shop.scope, ({ enqueueAll }) =>
    enqueueAll(
      kind,
      some.map((text) => ({ key: text, data: { text }, dueAt: realNow() })),
    ),
  )
const start = () => startWorker(functions.runner, functions.embedded)
const ranSorted = () => [...ran].sort((one, other) => Number(one) - Number(other))

async function pass(seconds: number): Promise<void> {
  aheadMs += seconds * 1000
  await db().$executeRaw`
    UPDATE tasks SET run_at = run_at - ${seconds}::int * interval '1 second',
      leased_until = leased_until - ${seconds}::int * interval '1 second',
      handed_over_at = handed_over_at - ${seconds}::int * interval '1 second'`
}

it('tasks of one type are handed over in one event and run as a batch', async () => {
  await write(texts(150))
  start()
  await expect.poll(() => ran.length).toBe(150)
  expect(ranSorted()).toEqual(texts(150))
  expect(server.sent().length).toBeLessThanOrEqual(5)
  expect(Math.max(...batches)).toBe(64)
  expect(await db().tasks.count()).toBe(0)
})

it('the worker registers its functions with the task server at its start', async () => {
  start()
  await expect.poll(() => server.registrations().length).toBe(1)
  await expect.poll(async () => (await readiness()).inngest).toBe('ok')
})

it('a wrong signing key is logged with the name of its environment variable and the server’s response', async () => {
  const error = vi.spyOn(log, 'error')
  configured({ signingKey: `signkey-test-${'0bad0b'.repeat(8)}` })
  start()
  await expect.poll(() => error.mock.calls.length).toBe(1)
  expect(error.mock.calls[0]?.[0]).toMatchObject({
    error: 'refuses INNGEST_SIGNING_KEY (401 Unauthorized): set the key that the server was started with',
  })
  expect(JSON.stringify(error.mock.calls)).not.toContain('0bad0b')
  await pass(9)
  await expect
    .poll(async () => (await readiness()).inngest)
    .toMatch(/^away for \d+ s: refuses INNGEST_SIGNING_KEY \(401 Unauthorized\)/)
})

it('a wrong event key is logged with the name of its environment variable', async () => {
  const error = vi.spyOn(log, 'error')
  configured({ eventKey: 'another-event-key' })
  await write(texts(1))
  start()
  const reasons = () => error.mock.calls.map(([logged]) => (logged as { error: string }).error)
  await expect
    .poll(reasons)
    .toContain(
      'refuses INNGEST_EVENT_KEY (401 invalid event key): set one of the keys that the server was started with',
    )
})

it('a task server is logged as unreachable while it is down', async () => {
  const error = vi.spyOn(log, 'error')
  configured({ baseUrl: `http://127.0.0.1:${await freePort()}` })
  start()
  await expect.poll(() => error.mock.calls.length).toBe(1)
  expect(error.mock.calls[0]?.[0]).toMatchObject({ error: 'cannot be reached (ECONNREFUSED)' })
})

it('a task takes effect exactly once, even if the task server runs its event twice', async () => {
  server.behavior = 'runs twice'
  await write(texts(20))
  start()
  await expect.poll(() => ran.length).toBe(20)
  await stopWorker()
  const results = (await server.results()) as { ran: number }[]
  expect(results.reduce((sum, result) => sum + result.ran, 0)).toBe(20)
  expect(ranSorted()).toEqual(texts(20))
})

it('tasks are sent again after a successful probe if the task server lost the tasks', async () => {
  server.behavior = 'forgets'
  await write(texts(3))
  start()
  await expect.poll(() => server.sent().length).toBe(1)
  server.behavior = 'runs'
  await pass(5)
  await expect.poll(() => ran.length).toBe(3)
  expect(ranSorted()).toEqual(texts(3))
  expect(await readiness()).toMatchObject({ inngest: 'ok', taskLagSeconds: 0 })
})

it('functions are registered again with a task server that lost its state, even if no task is due', async () => {
  start()
  await expect.poll(() => server.registrations().length).toBe(1)
  await write(texts(3))
  await expect.poll(() => ran.length).toBe(3)
  server.loseState()
  server.behavior = 'is down'
  await write(texts(3, 3))
  await expect.poll(() => db().tasks.count({ where: { handed_over_at: { not: null } } })).toBe(3)
  await pass(21)
  await expect.poll(() => ran.length).toBe(6)
  expect(await readiness()).toMatchObject({ status: 'degraded', inngest: expect.stringMatching(/^away for/) })
  expect(await db().tasks.count()).toBe(0)
  server.behavior = 'runs'
  await expect.poll(async () => (await readiness()).inngest).toBe('ok')
  expect(server.registrations().length).toBeGreaterThan(1)
  await write(texts(1, 6))
  await expect.poll(() => ran.length).toBe(7)
  expect((await server.results()).length).toBeGreaterThan(1)
})

it('functions are registered again if the task server accepts events but starts no function', async () => {
  start()
  await expect.poll(() => server.registrations().length).toBe(1)
  server.loseState()
  await write(texts(5))
  await expect.poll(() => server.sent().length).toBe(1)
  await pass(5)
  await expect.poll(() => ran.length).toBe(5)
  expect(ranSorted()).toEqual(texts(5))
  expect(server.registrations().length).toBe(2)
  expect((await readiness()).inngest).toBe('ok')
})

it('a task server that runs no task is reported as unavailable after 8 s, and the service runs the tasks itself after 20 s', async () => {
  const error = vi.spyOn(log, 'error')
  server.behavior = 'holds'
  await write(texts(5))
  start()
  await expect.poll(() => server.sent().length).toBe(1)
  await pass(9)
  await expect.poll(async () => (await readiness()).inngest).toMatch(/starts no task$/)
  expect(await readiness()).toMatchObject({ status: 'degraded', ready: true })
  expect(ran).toEqual([])
  await pass(12)
  await expect.poll(() => ran.length).toBe(5)
  expect(error.mock.calls.map(([logged]) => (logged as { error: string }).error)).toEqual(['starts no task'])
  await write(texts(1, 5))
  await expect.poll(() => ran.length).toBe(6)
  expect(server.sent().length).toBe(1)

  server.behavior = 'runs'
  server.release()
  await expect.poll(async () => (await readiness()).inngest).toBe('ok')
  expect(await server.results()).toContainEqual({ ran: 0 })
  expect(ranSorted()).toEqual(texts(6))
  await write(texts(1, 6))
  await expect.poll(() => server.sent().length).toBe(2)
  await expect.poll(() => ran.length).toBe(7)
})

it('a slow task server counts as available while it starts tasks', async () => {
  const error = vi.spyOn(log, 'error')
  server.behavior = 'holds'
  await write(texts(4))
  start()
  await expect.poll(() => server.sent().length).toBe(1)
  const { taskServer } = functions.runner
  const look = vi.spyOn(taskServer as TaskServer, 'look')
  const looked = async () => {
    const before = look.mock.results.length
    await expect.poll(() => look.mock.results.length).toBeGreaterThan(before + 2)
  }
  await db().$executeRaw`
    UPDATE tasks SET handed_over_at = handed_over_at + (data->>'text')::int * interval '1 millisecond'`
  for (const text of texts(3)) {
    await looked()
    aheadMs += 3_000
    await db().$executeRaw`DELETE FROM tasks WHERE data->>'text' = ${text}`
  }
  await looked()
  expect(error).not.toHaveBeenCalled()
  aheadMs += 9_000
  await expect.poll(async () => (await readiness()).inngest).toMatch(/starts no task$/)
})

it('while the task server is down, no task is lost and each error is logged once per minute', async () => {
  const error = vi.spyOn(log, 'error')
  server.behavior = 'is down'
  start()
  await expect.poll(() => error.mock.calls.length).toBe(1)
  await write(texts(100))
  await expect
    .poll(async () => await db().tasks.count({ where: { handed_over_at: { not: null }, leased_until: null } }))
    .toBe(100)
  await pass(21)
  await expect.poll(() => ran.length).toBe(100)
  expect(ranSorted()).toEqual(texts(100))
  const reasons = error.mock.calls.map(([logged]) => (logged as { error: string }).error)
  for (const reason of reasons) expect(reasons.filter((each) => each === reason).length).toBeLessThanOrEqual(2)
  expect(error.mock.calls[0]?.[0]).toMatchObject({ server: server.environment.INNGEST_BASE_URL })
  expect((await readiness()).inngest).toMatch(/^away for \d+ s: /)
})

it('tasks are not sent again while their run waits for a free slot', async () => {
  sending.mayEnd = new Promise((resolve) => {
    sending.end = resolve
  })
  await write(texts(40), send)
  start()
  await expect.poll(() => server.sent().flatMap(({ data }) => data.taskIds).length).toBe(40)
  await expect.poll(() => sending.now).toBe(16)
  // Simulates a hand-over 25 seconds ago, with a lease of 30 seconds.
  await db().$executeRaw`
    UPDATE tasks SET run_at = run_at - interval '25 seconds', leased_until = leased_until - interval '25 seconds'
    WHERE handed_over_at IS NOT NULL`
  const kept = async () => {
    const soon = new Date(Date.now() + 6_000)
    return db().tasks.count({ where: { handed_over_at: { not: null }, run_at: { gt: soon } } })
  }
  await expect.poll(kept).toBe(24)
  sending.end()
  await expect.poll(() => ran.length).toBe(40)
  expect(sending.most).toBe(16)
  expect(ranSorted()).toEqual(texts(40))
  expect(server.sent().flatMap(({ data }) => data.taskIds).length).toBe(40)
})

it('a task server that never responds delays neither local tasks nor the end of the process', async () => {
  server.behavior = 'hangs'
  await write(texts(5))
  start()
  await expect.poll(() => server.sent().length).toBe(1)
  await pass(21)
  const began = realClock()
  await expect.poll(() => ran.length).toBe(5)
  await write(texts(20, 5))
  await expect.poll(() => ran.length).toBe(25)
  expect(server.sent().length).toBe(1)
  await stopWorker()
  // If the worker waited for the server to respond, this test would take 15 s.
  expect(realClock() - began).toBeLessThan(14_000)
})

it('without a fallback, tasks wait until the unavailable task server is available again', async () => {
  configured({ fallbackMs: null })
  server.behavior = 'holds'
  await write(texts(3))
  start()
  await expect.poll(() => server.sent().length).toBe(1)
  await expect.poll(() => server.registrations().length).toBe(1)
  await pass(61)
  await expect.poll(() => server.sent().length).toBe(2)
  // The process must be ready, or it would not receive the server's requests to run tasks.
  const state = await readiness()
  expect(state).toMatchObject({ status: 'degraded', ready: true, inngest: expect.stringMatching(/^away for/) })
  expect(state.taskLagSeconds).toBeGreaterThanOrEqual(61)
  // The functions are registered again, because the server may have lost them.
  await expect.poll(() => server.registrations().length).toBeGreaterThan(1)
  expect(ran).toEqual([])
  server.release()
  await expect.poll(() => ran.length).toBe(3)
  await server.results()
  expect(ranSorted()).toEqual(texts(3))
})
