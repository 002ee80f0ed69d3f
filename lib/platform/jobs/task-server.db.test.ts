import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { transact } from '../../modules/events/transact.ts'
import { readiness } from '../../server/readiness.ts'
import { configure } from '../../testing/configure.ts'
import { anInngestServer } from '../../testing/inngest-server.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { realNow } from '../clock/clock.ts'
import * as config from '../config.ts'
import { db } from '../db/db.ts'
import { log } from '../log.ts'
import { type Functions, inngestFunctions } from './inngest.ts'
import { batchJob, job, task } from './tasks.ts'
import { startWorker, stopWorker } from './worker.ts'

/** What becomes of tasks when the Inngest server that they are handed to fails in its own ways. */

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
/** By how much the clock of this process was moved on. */
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
})

/** Makes the functions anew, with another configuration of the server. */
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

/** As if so much time had passed, for this process and for the tasks. */
async function pass(seconds: number): Promise<void> {
  aheadMs += seconds * 1000
  await db().$executeRaw`
    UPDATE tasks SET run_at = run_at - ${seconds}::int * interval '1 second',
      leased_until = leased_until - ${seconds}::int * interval '1 second',
      handed_over_at = handed_over_at - ${seconds}::int * interval '1 second'`
}

it('tasks of one type are handed over together, and run as a batch', async () => {
  await write(texts(150))
  start()
  await expect.poll(() => ran.length).toBe(150)
  expect(ranSorted()).toEqual(texts(150))
  expect(server.sent().length).toBeLessThanOrEqual(5)
  expect(Math.max(...batches)).toBe(64)
  expect(await db().tasks.count()).toBe(0)
})

it('the functions are registered when the worker starts, without anybody’s doing', async () => {
  start()
  await expect.poll(() => server.registrations().length).toBe(1)
  await expect.poll(async () => (await readiness()).inngest).toBe('ok')
})

it('a wrong signing key is logged at once, with what the server said', async () => {
  const error = vi.spyOn(log, 'error')
  configured({ signingKey: `signkey-test-${'0bad0b'.repeat(8)}` })
  start()
  await expect.poll(() => error.mock.calls.length).toBe(1)
  expect(error.mock.calls[0]?.[0]).toMatchObject({ error: expect.stringContaining('invalid signing key') })
  expect(JSON.stringify(error.mock.calls)).not.toContain('0bad0b')
})

it('each event that is run twice has its effect once', async () => {
  server.behavior = 'runs twice'
  await write(texts(20))
  start()
  await expect.poll(() => ran.length).toBe(20)
  await stopWorker()
  const results = (await server.results()) as { ran: number }[]
  expect(results.reduce((sum, result) => sum + result.ran, 0)).toBe(20)
  expect(ranSorted()).toEqual(texts(20))
})

it('what the server forgot is handed over again after half a minute', async () => {
  server.behavior = 'forgets'
  await write(texts(3))
  start()
  await expect.poll(() => server.sent().length).toBe(1)
  await expect.poll(async () => (await readiness()).taskLagSeconds).toBe(0)
  await pass(25)
  expect((await readiness()).taskLagSeconds).toBeGreaterThanOrEqual(25)
  server.behavior = 'runs'
  await pass(6)
  await expect.poll(() => ran.length).toBe(3)
  expect(ranSorted()).toEqual(texts(3))
  expect((await readiness()).taskLagSeconds).toBe(0)
})

it('a server that takes tasks and runs none is away after a minute, and tasks run here until it is back', async () => {
  const error = vi.spyOn(log, 'error')
  server.behavior = 'holds'
  await write(texts(5))
  start()
  await expect.poll(() => server.sent().length).toBe(1)
  await pass(61)
  await expect.poll(() => ran.length).toBe(5)
  const state = await readiness()
  expect(state).toMatchObject({ status: 'degraded', ready: true, inngest: expect.stringMatching(/begins no task$/) })
  expect(error.mock.calls.map(([logged]) => (logged as { error: string }).error)).toEqual(['begins no task'])
  // What it held is late, and done.
  server.release()
  expect(await server.results()).toEqual([{ ran: 0 }])
  expect(ranSorted()).toEqual(texts(5))

  server.behavior = 'runs'
  await write(texts(1, 5))
  await expect.poll(() => ran.length).toBe(6)
  expect(server.sent().length).toBe(1)
  await pass(31)
  // A look that began before then may still take the first of them.
  let written = 6
  const writeOne = () => write(texts(1, written++))
  const probed = async () => writeOne().then(() => server.sent().length)
  await expect.poll(probed).toBeGreaterThan(1)
  await expect.poll(async () => (await readiness()).inngest).toBe('ok')
  const before = server.sent().length
  await writeOne()
  await expect.poll(() => server.sent().length).toBeGreaterThan(before)
  await expect.poll(() => ran.length).toBe(written)
  expect(ranSorted()).toEqual(texts(written))
})

it('while the server is down nothing fails or is lost, and the log says each reason once a minute', async () => {
  const error = vi.spyOn(log, 'error')
  server.behavior = 'is down'
  start()
  await expect.poll(() => error.mock.calls.length).toBe(1)
  await write(texts(100))
  await expect
    .poll(async () => await db().tasks.count({ where: { handed_over_at: { not: null }, leased_until: null } }))
    .toBe(100)
  await pass(61)
  await expect.poll(() => ran.length).toBe(100)
  expect(ranSorted()).toEqual(texts(100))
  const reasons = error.mock.calls.map(([logged]) => (logged as { error: string }).error)
  for (const reason of reasons) expect(reasons.filter((each) => each === reason).length).toBeLessThanOrEqual(2)
  expect(error.mock.calls[0]?.[0]).toMatchObject({ server: server.environment.INNGEST_BASE_URL })
  expect((await readiness()).inngest).toMatch(/^away for \d+ s: /)
})

it('runs wait for a place in their queue, and are not handed over again meanwhile', async () => {
  sending.mayEnd = new Promise((resolve) => {
    sending.end = resolve
  })
  await write(texts(40), send)
  start()
  await expect.poll(() => server.sent().flatMap(({ data }) => data.taskIds).length).toBe(40)
  await expect.poll(() => sending.now).toBe(16)
  // As if those that wait had been handed over 25 seconds ago, for 30.
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

it('a server that accepts and never answers holds up neither the tasks that run here nor the end of the process', async () => {
  server.behavior = 'hangs'
  await write(texts(5))
  start()
  await expect.poll(() => server.sent().length).toBe(1)
  await pass(61)
  const began = realClock()
  await expect.poll(() => ran.length).toBe(5)
  await pass(31)
  await write(texts(20, 5))
  // One of them is handed over, to see whether it is run.
  await expect.poll(() => server.sent().length).toBe(2)
  await expect.poll(() => ran.length).toBe(24)
  await stopWorker()
  // The server would have been waited for for 15 s.
  expect(realClock() - began).toBeLessThan(14_000)
})

it('without a fallback tasks wait for the server', async () => {
  configured({ fallback: false })
  server.behavior = 'holds'
  await write(texts(3))
  start()
  await expect.poll(() => server.sent().length).toBe(1)
  await expect.poll(() => server.registrations().length).toBe(1)
  await pass(61)
  await expect.poll(() => server.sent().length).toBe(2)
  // Not ready, it would be shut out from the runs that it waits for.
  const state = await readiness()
  expect(state).toMatchObject({ status: 'degraded', ready: true, inngest: expect.stringMatching(/^away for/) })
  expect(state.taskLagSeconds).toBeGreaterThanOrEqual(61)
  // It may have forgotten the functions.
  await expect.poll(() => server.registrations().length).toBe(2)
  expect(ran).toEqual([])
  server.release()
  await expect.poll(() => ran.length).toBe(3)
  await server.results()
  expect(ranSorted()).toEqual(texts(3))
})
