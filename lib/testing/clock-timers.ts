import { afterEach, beforeEach } from 'vitest'
import { z } from 'zod'
import { type Transaction, transact } from '../modules/events/transact.ts'
import { db } from '../platform/db/db.ts'
import { runTask } from '../platform/jobs/run-task.ts'
import type { TaskRunner } from '../platform/jobs/task-runner.ts'
import { job, type TaskContext, task } from '../platform/jobs/tasks.ts'
import { stopWorker } from '../platform/jobs/worker.ts'
import { showClock } from '../workflows/test-helpers/operations.ts'
import { aShop, type Shop } from './shop.ts'

/** Durations in milliseconds. */
export const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
export const hours = (count: number) => ({ by: { hours: count } })

/** The tasks of these tests. `timer` runs on the test clock, `free` runs concurrently with others, and `other` runs on the real clock. */
export const timer = task('test.timer', z.object({ name: z.string() }))
export const free = task('test.free', z.object({ name: z.string() }), { concurrent: true })
export const other = task('test.other', z.object({}), { clock: 'real' })

interface Started {
  shop: Shop
  tenant: Shop['scope']
  /** The time on the test clock when the test starts. */
  now: Date
}

const nothing = async (): Promise<unknown> => undefined

class ClockTimers {
  /** The timers that ran, each with the time on the test clock when it ran, in seconds after `now`. */
  ran: [string, number][] = []
  operation: (tx: Transaction, name: string) => Promise<unknown> = nothing
  private started: Started | undefined

  get shop(): Shop {
    return this.current.shop
  }

  get tenant(): Shop['scope'] {
    return this.current.tenant
  }

  get now(): Date {
    return this.current.now
  }

  /** Starts again with a new storefront, whose clock has not been advanced. */
  async start(): Promise<void> {
    const shop = await aShop()
    this.started = { shop, tenant: shop.scope, now: new Date((await showClock(shop.storefrontId)).now) }
    this.ran = []
    this.operation = nothing
  }

  private readonly run = (context: TaskContext, { name }: { name: string }) =>
    transact(context, async (tx) => {
      this.ran.push([name, (tx.now.getTime() - this.now.getTime()) / second])
      return this.operation(tx, name)
    })

  readonly jobs = new Map(
    [timer, free, other].map((each) => [each.name, job<{ name: string }>(each as typeof timer, this.run)]),
  )

  readonly runner: TaskRunner = {
    leaseMs: 90_000,
    run: async (task) => {
      await runTask(this.jobs, task)
    },
  }

  /** Enqueues a timer that is due `afterMs` milliseconds after `now`. */
  readonly put = (name: string, afterMs: number) =>
    transact(this.tenant, ({ enqueue }) =>
      enqueue(timer, { key: this.keyOf(name), data: { name }, dueAt: this.at(afterMs) }),
    )

  readonly at = (afterMs: number) => new Date(this.now.getTime() + afterMs)
  readonly keyOf = (name: string) => `${this.shop.storefrontId} ${name}`
  readonly clock = async () => new Date((await showClock(this.shop.storefrontId)).now)
  readonly row = () => db().clocks.findUniqueOrThrow({ where: { storefront_id: this.shop.storefrontId } })

  private get current(): Started {
    if (!this.started) throw new Error('the test has not started')
    return this.started
  }
}

/** Starts each test of a file with a new storefront and without tasks. Call this function at the top level of the file. */
export function clockTimers(): ClockTimers {
  const timers = new ClockTimers()
  beforeEach(async () => {
    await db().tasks.deleteMany()
    await db().clocks.updateMany({
      data: { advancing_to: null, frozen_at: null, runner_id: null, advance_leased_until: null },
    })
    await timers.start()
  })
  afterEach(stopWorker)
  return timers
}
