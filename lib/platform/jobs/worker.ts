import { AsyncResource } from 'node:async_hooks'
import { db } from '../db/db.ts'
import { literal, rawFragment } from '../db/fragment.ts'
import { log } from '../log.ts'
import { Outage } from '../outage.ts'
import { noteLook } from './last-look.ts'
import { Leases } from './leases.ts'
import { openStreams } from './open-streams.ts'
import { claimStreams, dueStreams } from './streams.ts'
import { concurrency } from './task-places.ts'
import type { ClaimedTask, TaskRunner } from './task-runner.ts'
import { type Queue, queues } from './tasks.ts'
import { resumeAdvances } from './test-clock.ts'
import { onWake } from './wake.ts'

/**
 * The maximum number of tasks in a batch, because a larger batch would hold its row locks longer without being faster.
 */
const maxBatchSize = 64
const maxAdvances = 8
const maxDispatches = 1_024
const maxStarts = 64
const lookEveryMs = 500
/**
 * Milliseconds between two `noteLook` calls. Much less than the minute after which `/readyz` reports that no process
 * runs tasks.
 */
const noteLookEveryMs = 10_000
/** Milliseconds for which a stopping process waits for the task server, which usually responds within milliseconds. */
const giveUpMs = 2_000
/** Queries for due streams take at most 1/`lookingPart` of the time, regardless of the number of streams. */
const lookingPart = 10

let running: Worker | undefined

/** `embedded` runs tasks in this process, even if `runner` hands tasks to a task server. */
export function startWorker(runner: TaskRunner, embedded: TaskRunner): void {
  running ??= new Worker(runner, embedded)
}

export async function stopWorker(): Promise<void> {
  const worker = running
  running = undefined
  await worker?.stop()
}

class Worker {
  private readonly inFlight = new Map(queues.map((queue) => [queue, new Set<Promise<void>>()]))
  private readonly advances = new Set<Promise<void>>()
  private readonly dispatches = new Set<Promise<void>>()
  private readonly outage = new Outage('due tasks could not be read', 'error')
  private notedAt = Number.NEGATIVE_INFINITY
  private streamsAfter = 0
  private soon: NodeJS.Timeout | undefined
  private readonly leases = new Leases()
  private stopped = false
  private lookAgain = false
  private looking: Promise<void> | undefined
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly runner: TaskRunner,
    private readonly embedded: TaskRunner,
  ) {
    // The tasks that the worker finds must not inherit the trace of the call that woke the worker.
    onWake(AsyncResource.bind(() => this.look()))
    openStreams().hasWorker = true
    this.leases.start()
    this.timer = setInterval(() => this.look(), lookEveryMs)
    this.look()
  }

  async stop(): Promise<void> {
    this.stopped = true
    onWake(undefined)
    openStreams().hasWorker = false
    clearInterval(this.timer)
    clearTimeout(this.soon)
    await this.looking
    const giveUp = setTimeout(() => this.runner.taskServer?.giveUp(), giveUpMs)
    const all = [...this.inFlight.values(), this.advances, this.dispatches]
    await openStreams().stopUntil(Promise.all(all.flatMap((tracked) => [...tracked])))
    clearTimeout(giveUp)
    await this.leases.stop()
  }

  private look(): void {
    if (this.stopped) return
    if (this.looking) {
      this.lookAgain = true
      return
    }
    this.looking = this.claimAndRun()
      .then(() => this.outage.ends())
      .catch((error) => this.failed(error))
      .finally(() => {
        this.looking = undefined
        if (this.lookAgain) {
          this.lookAgain = false
          this.look()
        }
      })
  }

  private async claimAndRun(): Promise<void> {
    for (const advance of await resumeAdvances(this.embedded, maxAdvances - this.advances.size))
      this.track(this.advances, advance)
    const choice = (await this.runner.taskServer?.look()) ?? 'hand over'
    const runner = choice === 'hand over' ? this.runner : this.embedded
    for (const [queue, inFlight] of this.inFlight) {
      const room = concurrency[queue] - inFlight.size
      if (room <= 0) continue
      // The statement contains the limit as a literal, so each limit needs its own query plan. Rounding down to a power
      // of two keeps the number of plans small.
      const most = 2 ** Math.floor(Math.log2(room))
      const tasks = await claimDueTasks(queue, most, runner.leaseMs, runner.taskServer !== undefined)
      this.runAll(runner, tasks, inFlight, concurrency[queue])
      if (tasks.length === most) this.lookAgain = true
    }
    await this.startDispatches(runner)
    await this.noteLook()
  }

  private failed(error: unknown): void {
    this.outage.begins(error)
    // A crash of PostgreSQL empties the table that stores the time of the last look. The next successful query
    // therefore calls `noteLook` immediately.
    this.notedAt = Number.NEGATIVE_INFINITY
  }

  /**
   * Notes that a worker looked for due tasks. Runs only after a successful query, so a process that hangs does not
   * count as a process that runs tasks.
   */
  private async noteLook(): Promise<void> {
    if (performance.now() - this.notedAt < noteLookEveryMs) return
    await noteLook()
    this.notedAt = performance.now()
  }

  private async startDispatches(runner: TaskRunner): Promise<void> {
    const began = performance.now()
    if (began < this.streamsAfter) {
      this.soon ??= setTimeout(() => {
        this.soon = undefined
        this.look()
      }, this.streamsAfter - began)
      return
    }
    const streams = openStreams()
    if (streams.isStopping) return
    const due = await dueStreams()
    const took = performance.now() - began
    this.streamsAfter = performance.now() + Math.min(took * (lookingPart - 1), lookEveryMs)
    for (const { stream, isTaken } of due) if (isTaken) streams.nudge(stream)
    const isHere = runner === this.embedded
    const ready = due.filter(
      ({ stream, storefrontId, isTaken }) => !isTaken && (!isHere || streams.roomOf(stream, storefrontId) > 0),
    )
    const most = Math.min(maxStarts, maxDispatches - this.dispatches.size)
    for (const task of await claimStreams(
      ready.slice(0, Math.max(0, most)),
      runner.leaseMs,
      runner.taskServer !== undefined,
    )) {
      this.track(
        this.dispatches,
        this.held(runner, task, runner.run(task)).finally(() => this.look()),
      )
    }
    if (ready.length > most && most > 0) this.lookAgain = true
  }

  private runAll(
    runner: TaskRunner,
    tasks: readonly ClaimedTask[],
    inFlight: Set<Promise<void>>,
    atOnce: number,
  ): void {
    for (const some of batches(tasks)) {
      const runBatch = some.length > 1 ? runner.batchOf?.(some[0]?.name ?? '') : null
      const batchRun = runBatch?.(some)
      for (const task of some) this.track(inFlight, this.held(runner, task, batchRun ?? runner.run(task)), atOnce)
    }
  }

  /**
   * Extends the lease while the task runs in this process. A task that is handed to a task server has the lease of the
   * server, which this function does not extend.
   */
  private async held(runner: TaskRunner, task: ClaimedTask, work: Promise<void>): Promise<void> {
    if (runner !== this.embedded) return work
    this.leases.hold(task)
    return work.finally(() => this.leases.drop(task))
  }

  private track(inFlight: Set<Promise<void>>, work: Promise<void>, atOnce = Number.POSITIVE_INFINITY): void {
    const tracked = work
      .catch((error) => log.error({ error: String(error) }, 'background work failed'))
      .finally(() => {
        inFlight.delete(tracked)
        if (inFlight.size === atOnce - 1) this.look()
      })
    inFlight.add(tracked)
  }
}

function batches(tasks: readonly ClaimedTask[]): ClaimedTask[][] {
  const found: ClaimedTask[][] = []
  for (const name of new Set(tasks.map((task) => task.name))) {
    const kind = tasks.filter((task) => task.name === name)
    for (let from = 0; from < kind.length; from += maxBatchSize) found.push(kind.slice(from, from + maxBatchSize))
  }
  return found
}

/**
 * Claims due tasks without a stream, oldest first. Excludes tasks on an advancing clock, because the runner of the advance claims these tasks. Queue and limit
 * are literals, because a plan for any queue would read all waiting tasks.
 */
export async function claimDueTasks(
  queue: Queue,
  limit: number,
  leaseMs: number,
  isHandedOver = false,
): Promise<ClaimedTask[]> {
  return db().$queryRaw<ClaimedTask[]>`
    WITH due AS MATERIALIZED (
      SELECT id, run_at FROM tasks
      WHERE stream IS NULL AND queue = ${literal(queue)} AND run_at <= (SELECT clock_timestamp())
        AND NOT (clock = 'storefront' AND EXISTS (
          SELECT 1 FROM clocks WHERE clocks.storefront_id = tasks.storefront_id AND advancing_to IS NOT NULL))
      ORDER BY run_at, id LIMIT ${rawFragment(String(Math.floor(limit)))} FOR UPDATE OF tasks SKIP LOCKED),
    claimed AS (
      UPDATE tasks SET claim_version = claim_version + 1, attempts = attempts + 1,
        run_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
        leased_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
        handed_over_at = CASE WHEN ${isHandedOver}::boolean THEN coalesce(handed_over_at, clock_timestamp()) END
      FROM due WHERE tasks.id = due.id
      RETURNING tasks.id, tasks.claim_version, tasks.name, due.run_at)
    SELECT id AS "taskId", claim_version AS "claimVersion", name FROM claimed ORDER BY run_at, id`
}
