import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { GET as readyz } from '@/app/readyz/route.ts'
import { db } from '../../platform/db/db.ts'
import { inngestFunctions } from '../../platform/jobs/inngest.ts'
import { noteLook } from '../../platform/jobs/last-look.ts'
import { claimDueTasks, startWorker, stopWorker } from '../../platform/jobs/worker.ts'
import { log } from '../../platform/log.ts'
import { jobs } from '../../server/jobs.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { uncached } from '../../testing/uncached.ts'
import { check, planChecks } from './operations.ts'
import { nightlyCheck } from './tasks.ts'

const { embedded } = inngestFunctions(jobs)
const planned = () => db().tasks.findMany({ where: { name: nightlyCheck.name } })
const checks = () => db().invariant_checks.findMany()
const isDue = () =>
  db()
    .$executeRaw`UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()), leased_until = NULL WHERE name = ${nightlyCheck.name}`
const claimed = async () => {
  await isDue()
  const [task] = (await claimDueTasks('work', 100, embedded.leaseMs)).filter(({ name }) => name === nightlyCheck.name)
  if (!task) throw new Error('the check is not due')
  return task
}

const wrong = { name: 'I1 the amounts of an order are the sums of its lines', orderId: '' }
const addCents = (cents: bigint) =>
  db().$executeRaw`UPDATE order_lines SET total = total + ${cents} WHERE order_id = ${wrong.orderId}`
const broken = [
  'I1 the amounts of an order are the sums of its lines',
  'I1 the total of a line is its subtotal plus its taxes',
]

let scenario: Scenario
beforeAll(async () => {
  scenario = await subscriptionScenario()
  wrong.orderId = (await db().orders.findFirstOrThrow()).id
})
beforeEach(async () => {
  await db().tasks.deleteMany({ where: { name: nightlyCheck.name } })
  await db().invariant_checks.deleteMany()
  await noteLook()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await stopWorker()
})

/** Sets the time to noon, so that the test does not cross midnight or 02:00 UTC. */
function atNoon(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date().setUTCHours(12, 0, 0, 0) })
  onTestFinished(() => void vi.useRealTimers())
}

describe('nightly check', () => {
  it('processes that start together enqueue one nightly invariant check for 02:00 UTC', async () => {
    atNoon()
    await Promise.all(Array.from({ length: 8 }, planChecks))
    await planChecks()
    const [task, ...others] = await planned()
    expect(others).toEqual([])
    expect(task).toMatchObject({ storefront_id: '', testmode: false, clock: 'real', run_at: task?.due_at })
    expect(task?.due_at.toISOString()).toBe(`${task?.key}T02:00:00.000Z`)
    const ahead = (task?.due_at.getTime() ?? 0) - Date.now()
    expect(ahead).toBeGreaterThan(0)
    expect(ahead).toBeLessThanOrEqual(86_400_000)
  })

  it('the worker runs the nightly invariant check, which enqueues the check of the next night', async () => {
    atNoon()
    await planChecks()
    const [before] = await planned()
    const info = vi.spyOn(log, 'info')
    await isDue()
    startWorker(embedded, embedded)
    await expect.poll(async () => (await planned()).map(({ id }) => id)).not.toEqual([before?.id])
    const [next, ...others] = await planned()
    expect(others).toEqual([])
    expect((next?.due_at.getTime() ?? 0) - (before?.due_at.getTime() ?? 0)).toBe(86_400_000)
    expect(await checks()).toMatchObject([{ day: new Date().toISOString().slice(0, 10), broken: {} }])
    expect(info).toHaveBeenCalledWith(expect.objectContaining({ day: before?.key }), 'all invariants hold')
  })

  it('a nightly invariant check that runs days late skips the missed nights', async () => {
    atNoon()
    await planChecks()
    const [before] = await planned()
    await db()
      .$executeRaw`UPDATE tasks SET key = '2026-01-05', data = '{"day":"2026-01-05"}', due_at = '2026-01-05T02:00:00Z' WHERE id = ${before?.id}`
    await embedded.run(await claimed())
    expect((await planned()).map(({ key }) => key)).toEqual([before?.key])
  })

  it('an advance of a test clock does not run the nightly invariant check', async () => {
    await planChecks()
    const before = await planned()
    await pass(scenario, 'P3D')
    expect(await planned()).toEqual(before)
  })

  it('one process at a time runs the nightly invariant check, and a process whose claim expired stores no result', async () => {
    await planChecks()
    const task = await claimed()
    const hold = { sql: 'LOCK TABLE order_lines IN ACCESS EXCLUSIVE MODE' }
    await raceBehind(hold, [() => embedded.run(task)], 1, async () => {
      const [row] = await planned()
      expect((row?.run_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(50 * 60_000)
      await db().$executeRaw`UPDATE tasks SET claim_version = claim_version + 1 WHERE id = ${task.taskId}`
    })
    expect((await planned()).map(({ id }) => id)).toEqual([task.taskId])
    expect(await checks()).toEqual([])
  })

  it('violations appear in the log and on /readyz, and /readyz stays ready', async () => {
    await planChecks()
    await addCents(1n)
    const error = vi.spyOn(log, 'error').mockReturnValue()
    await embedded.run(await claimed())
    const [line, sentence] = error.mock.calls[0] ?? []
    expect(sentence).toBe('invariants are broken')
    expect(line).toMatchObject({
      broken: expect.arrayContaining([
        expect.objectContaining({
          invariant: 'I1',
          name: 'the amounts of an order are the sums of its lines',
          count: 1,
          ids: [wrong.orderId],
        }),
      ]),
    })
    expect(await checks()).toMatchObject([{ broken: { [wrong.name]: [wrong.orderId] } }])
    const response = await uncached(readyz)
    expect(response.status).toBe(200)
    const body = await response.json()
    expect(body).toMatchObject({
      status: 'degraded',
      ready: true,
      invariants: expect.stringMatching(/^broken on \d{4}-\d\d-\d\d: /),
    })
    for (const each of broken) expect(body.invariants).toContain(each)
    expect(await brokenInvariants()).toMatchObject({ [wrong.name]: [wrong.orderId] })
    await addCents(-1n)
    expect((await check()).filter(({ status }) => status === 'broken')).toEqual([])
    expect(await (await uncached(readyz)).json()).toMatchObject({ status: 'ok', invariants: 'ok' })
  })
})

describe('/readyz', () => {
  const state = async () => {
    const response = await uncached(readyz)
    return { code: response.status, ...(await response.json()) }
  }
  const fine = {
    code: 200,
    status: 'ok',
    ready: true,
    database: 'ok',
    migrations: 'ok',
    taskLagSeconds: 0,
    tasks: 'ok',
    payments: null,
    inngest: null,
    services: {},
    clocks: 'ok',
    invariants: 'ok',
  }

  it('/readyz is ok before the first nightly check', async () => {
    await expect.poll(state).toEqual(fine)
  })

  it('/readyz is degraded if the first nightly check has not run two nights after the installation', async () => {
    const nights = (hours: number) =>
      db()
        .$executeRaw`UPDATE _prisma_migrations SET finished_at = clock_timestamp() - ${hours}::int * interval '1 hour'`
    await nights(51)
    await expect.poll(state).toEqual({ ...fine, status: 'degraded', invariants: 'never checked' })
    await nights(0)
    await expect.poll(state).toEqual(fine)
  })

  it('/readyz is degraded if the last nightly check ran two nights ago', async () => {
    await check()
    await db()
      .$executeRaw`UPDATE invariant_checks SET day = '2026-01-05', finished_at = clock_timestamp() - interval '51 hours'`
    await expect.poll(state).toEqual({ ...fine, status: 'degraded', invariants: 'not checked since 2026-01-05' })
    await check()
    await expect.poll(state).toEqual(fine)
  })

  it('/readyz is not ready while a migration is missing', async () => {
    const hidden = await db()
      .$executeRaw`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '0001_init'`
    expect(hidden).toBe(1)
    await expect.poll(state).toMatchObject({
      code: 503,
      status: 'not_ready',
      migrations: 'missing: 0001_init',
      invariants: 'unknown',
    })
    await db().$executeRaw`UPDATE _prisma_migrations SET finished_at = now()`
  })

  it('/readyz is not ready while the database does not respond within a second', async () => {
    const hold = { sql: 'LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE' }
    let during: unknown
    await raceBehind(hold, [() => state().then((found) => (during = found))], 1, async () => {
      await expect.poll(() => during).toBeDefined()
    })
    expect(during).toMatchObject({
      code: 503,
      status: 'not_ready',
      ready: false,
      database: 'does not answer',
      payments: 'unknown',
      inngest: null,
      services: { vies: 'unknown', rates: 'unknown' },
    })
  })
})
