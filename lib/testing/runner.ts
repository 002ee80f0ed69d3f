import { AsyncLocalStorage } from 'node:async_hooks'
import { writeSync } from 'node:fs'
import type { Duration } from '../kernel/calendar.ts'
import { Refusal } from '../kernel/refusal.ts'
import { dispatchWebhooks } from '../modules/events/tasks.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { runBatch, runTask } from '../platform/jobs/run-task.ts'
import type { TaskRunner } from '../platform/jobs/task-runner.ts'
import { runAdvance } from '../platform/jobs/test-clock.ts'
import { claimDueTasks } from '../platform/jobs/worker.ts'
import { jobs } from '../server/jobs.ts'
import { createFull } from '../workflows/refund/operations.ts'
import { advanceByDuration } from '../workflows/test-helpers/operations.ts'
import type { Failpoint } from './failpoints.ts'

/**
 * This program runs the tasks of one advance of a test clock, or all due tasks with concurrent workers. At the place
 * `killAt` (see `Moved`), the program prints the place and kills its own process with SIGKILL.
 */

export interface Move {
  readonly storefrontId: string
  /** The duration by which the clock advances. Null continues an advance that a crashed process left unfinished. */
  readonly by: Duration | null
  /** An order to refund in full before the advance. An order with no remaining amount is skipped. */
  readonly refund?: string
  readonly killAt: string | null
}

export interface Work {
  readonly workers: number
  readonly atOnce: number
}

/**
 * `passed` lists the places at which a test can kill the process. A place is the list of failpoints that one task or
 * one request has passed, such as `subscription.charge task.begun charge.before_provider`. Two tasks that pass the same
 * failpoints have the same place.
 */
export interface Moved {
  readonly passed: string[]
  readonly remaining: number
}

export interface Worked {
  readonly ran: number
}

/** Milliseconds to wait for the end of an advance on a busy machine. */
const patienceMs = 600_000

const byName = new Map(jobs.map((job) => [job.name, job]))
const way = new AsyncLocalStorage<string[]>()

const runner: TaskRunner = {
  leaseMs: 90_000,
  run: async (task) => {
    await way.run([task.name], () => runTask(byName, task))
  },
}

async function move({ storefrontId, by, refund, killAt }: Move): Promise<Moved> {
  const passed: string[] = []
  const shared = globalThis as typeof globalThis & { billhookFailpoint?: (name: Failpoint) => void }
  shared.billhookFailpoint = (point) => {
    const steps = way.getStore()
    // Webhook deliveries are skipped, because separate tests kill the process during deliveries.
    if (!steps || steps[0] === dispatchWebhooks.name) return
    steps.push(point)
    const place = steps.join(' ')
    passed.push(place)
    if (place !== killAt) return
    writeSync(1, place)
    process.kill(process.pid, 'SIGKILL')
  }
  const tenant = { storefrontId, testmode: true }
  if (refund !== undefined) await way.run(['request'], () => refundOnce(tenant, refund))
  const { remaining } = by
    ? await advanceByDuration(tenant, { by }, runner, patienceMs)
    : await runAdvance(storefrontId, runner, Date.now() + patienceMs, null)
  return { passed, remaining }
}

async function refundOnce(tenant: Tenant, orderId: string): Promise<void> {
  try {
    await createFull(tenant, orderId, {})
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'validation_failed')) throw error
  }
}

async function work({ workers, atOnce }: Work): Promise<Worked> {
  let ran = 0
  const worker = async () => {
    for (;;) {
      const tasks = await claimDueTasks('work', atOnce, runner.leaseMs)
      if (tasks.length === 0) return
      await runBatch(byName, tasks)
      ran += tasks.length
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return { ran }
}

process.on('disconnect', () => process.exit())
process.on('message', (asked: Move | Work) => {
  const done = 'workers' in asked ? work(asked) : move(asked)
  done.then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
// The connection opens before the first run, so that every run takes the same time. A failed connection is ignored
// here, because the first run reports it.
db().$queryRaw`SELECT 1`.catch(() => undefined).then(() => process.send?.('ready'))
