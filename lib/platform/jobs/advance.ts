import { setTimeout as pause } from 'node:timers/promises'
import type { TaskMoment } from '../clock/clock.ts'
import { db } from '../db/db.ts'
import { shortError } from '../short-error.ts'
import { atOf, groupOf, isLate, maxBatchSize } from './advance-batch.ts'
import { AdvanceDispatches, type Advancing } from './advance-dispatches.ts'
import { extendAdvance, finishAdvance, moveClock, releaseAdvance } from './advance-store.ts'
import {
  type AdvanceResult,
  areStreamsLeased,
  claimTasks,
  countDue,
  type DueTask,
  dueStreamsOf,
  dueWork,
  endsOf,
  hurryStreams,
  nextOfStreams,
  releaseTasks,
} from './advance-tasks.ts'
import { Leases } from './leases.ts'
import type { Ended } from './open-streams.ts'
import type { ClaimedTask } from './task-runner.ts'
import { failTask } from './tasks.ts'
import { wake } from './wake.ts'

/**
 * Runs the due tasks of a clock advance in the order of their times. Runs tasks in batches or concurrently only if the
 * result is the same. Webhook deliveries run in parallel. lib/modules/test-helpers/README.md states the guarantees.
 */

const lookAgainMs = 25
const askAgainMs = 250
const triesPerTask = 3
/**
 * The number of tasks outside the clock advance (enqueued by requests during the advance) that may start before a task
 * of the advance completes. Each completed task of the advance allows one more.
 */
const firstUnrelated = 64

interface AdvanceClaim extends Advancing {
  /** Real time in milliseconds. No task starts after this time. */
  readonly until: number
}

type Claimed = { due: DueTask; task: ClaimedTask }

export class Advance {
  private ran = 0
  private besideLeft = firstUnrelated
  private work: Promise<void> | undefined
  private readonly dispatches: AdvanceDispatches
  private readonly tries = new Map<string, number>()
  private readonly abandoned = new Set<string>()
  /** Tasks and streams that ran but are not done, because they wait for another task. The clock advance skips them until another task is done. */
  private readonly waiting = new Set<string>()
  private readonly alone = new Set<string>()
  /** Whether failed deliveries are retried before their `run_at`, because no other work remains. */
  private impatient = false
  private idle = 0
  private ended = 0
  private hasMoved = false
  private isLost = false
  private broken: { error: unknown } | undefined
  private readonly leases: Leases

  constructor(private readonly claim: AdvanceClaim) {
    this.dispatches = new AdvanceDispatches(claim, (run) => this.tracked(run))
    this.leases = new Leases(async () => {
      const { storefrontId, runnerId } = claim
      const hasProgressed = this.hasMoved
      this.hasMoved = false
      if (!(await extendAdvance(storefrontId, runnerId, hasProgressed))) this.isLost = true
    })
  }

  async run(): Promise<AdvanceResult> {
    this.leases.start()
    const unwatch = this.dispatches.watch((ended) => this.haveEnded(ended))
    try {
      return await this.toTheEnd()
    } catch (error) {
      this.dispatches.stop()
      await Promise.allSettled([...this.dispatches.runs(), this.work])
      await releaseAdvance(this.claim)
      throw error
    } finally {
      unwatch()
      await this.leases.stop()
    }
  }

  private async toTheEnd(): Promise<AdvanceResult> {
    const { storefrontId, until } = this.claim
    for (;;) {
      if (this.broken) throw this.broken.error
      const before = this.ended
      const isOver = this.isLost || Date.now() >= until
      if (isOver) this.dispatches.stop()
      const found = isOver ? 'nothing' : await this.startDue()
      if (this.work || (isOver ? this.dispatches.size > 0 : await this.dispatches.areAwaited(this.sought()))) {
        // If a task ended during the query, the loop queries again immediately, because the ended task may have unblocked other tasks.
        if (this.ended === before) await this.someEnd()
      } else if (isOver) {
        const remaining = await countDue(storefrontId)
        if (!this.isLost) await releaseAdvance(this.claim)
        return { ran: this.ran, remaining }
      } else if (found === 'leased') {
        // The first due task is already running: for example, a worker claimed the task before the advance began.
        await pause(lookAgainMs)
      } else if (found === 'nothing' && (await this.allAsked())) {
        const remaining = await finishAdvance(this.claim, [...this.abandoned], this.besideLeft > 0)
        if (remaining !== null) {
          wake()
          return { ran: this.ran, remaining }
        }
        await pause(lookAgainMs)
      }
    }
  }

  private async startDue(): Promise<'nothing' | 'leased' | 'something'> {
    const { storefrontId } = this.claim
    const sought = this.sought()
    const [streams, work, { shown, next }] = await Promise.all([
      dueStreamsOf(sought),
      this.work ? [] : dueWork({ ...sought, most: maxBatchSize }),
      nextOfStreams(storefrontId),
    ])
    if (shown === null) {
      this.isLost = true
      return 'nothing'
    }
    const started = await this.dispatches.start(streams, shown, (stream) => this.waiting.add(stream))
    if (started === 'lost') this.isLost = true
    if (this.work) return 'something'
    const [first, ...others] = work
    // Moves the clock to the next due delivery if no other task is due earlier. While other tasks are left, the advance
    // does not wait for running deliveries, so that deliveries do not delay these tasks.
    if (next && (first ? next < atOf(first) : !(await this.dispatches.areAwaited(sought)))) {
      await this.moveTo(next)
      return 'something'
    }
    if (!first) return started === 'some' ? 'something' : 'nothing'
    if (first.leased) return 'leased'
    this.work = this.tracked(this.startWork([first, ...others], shown)).finally(() => {
      this.work = undefined
    })
    return 'something'
  }

  private sought() {
    const { storefrontId } = this.claim
    return { storefrontId, leftOut: [...this.abandoned, ...this.waiting], withBeside: this.besideLeft > 0 }
  }

  private startWork(work: readonly [DueTask, ...DueTask[]], shown: Date): Promise<void> {
    const { runner } = this.claim
    const isTogether = (kind: string) => runner.batchOf?.(kind) != null
    const { how, tasks } = groupOf(work, { shown, alone: this.alone, isTogether })
    const runBatch = how === 'batch' ? runner.batchOf?.(work[0].name) : null
    return runBatch ? this.runBatch(tasks, shown, runBatch) : this.runEach(tasks, shown)
  }

  private async runBatch(
    batch: readonly DueTask[],
    shown: Date,
    runBatch: (tasks: readonly ClaimedTask[]) => Promise<void>,
  ): Promise<void> {
    const claimed = await this.claimTasks(batch, (due) =>
      isLate(due, shown) ? undefined : { at: atOf(due), clock: 'past' },
    )
    if (claimed.length === 0) return
    try {
      await runBatch(claimed.map(({ task }) => task))
    } finally {
      for (const { task } of claimed) this.leases.drop(task)
    }
    const ends = await endsOf(claimed)
    const left = claimed.filter(({ due }) => ends.get(due.id) !== 'done')
    for (const { due } of claimed) if (ends.get(due.id) === 'done') this.isDone(due)
    const [next] = left
    if (!next) return
    this.alone.add(next.due.id)
    if (next.due.beside) this.besideLeft += left.length
    await releaseTasks(left.map(({ task }) => task))
  }

  private async runEach(group: readonly DueTask[], shown: Date): Promise<void> {
    const [first] = group
    if (!first) return
    const at = atOf(first)
    if (at > shown && !(await this.moveTo(at))) return
    const moment: TaskMoment = { at, clock: at < shown ? 'past' : 'here' }
    const claimed = await this.claimTasks(group, () => (isLate(first, shown) ? undefined : moment))
    await Promise.all(claimed.map((each) => this.runOne(each)))
  }

  private async claimTasks(
    due: readonly DueTask[],
    momentOf: (due: DueTask) => TaskMoment | undefined,
  ): Promise<Claimed[]> {
    const { storefrontId, runnerId } = this.claim
    const byId = new Map(due.map((each) => [each.id, each]))
    const claimed = (await claimTasks(storefrontId, runnerId, due)).flatMap((task): Claimed[] => {
      const each = byId.get(task.taskId)
      const moment = each && momentOf(each)
      return each ? [{ due: each, task: { ...task, ...(moment && { moment }) } }] : []
    })
    // If no task was claimed, other processes have claimed the tasks, or another runner has taken over the advance (`extendAdvance` returns false).
    if (claimed.length === 0 && !(await extendAdvance(storefrontId, runnerId, false))) this.isLost = true
    for (const { due, task } of claimed) {
      if (due.beside) this.besideLeft--
      this.leases.hold(task)
    }
    return claimed
  }

  private async runOne({ due, task }: Claimed): Promise<void> {
    const endedBefore = this.ended
    try {
      await this.claim.runner.run(task).catch((error) => failTask(db(), task, shortError(error)))
    } finally {
      this.leases.drop(task)
    }
    const end = (await endsOf([{ due, task }])).get(due.id)
    if (end === 'done') return this.isDone(due)
    if (end === 'waits') {
      if (due.beside) this.besideLeft++
      // If another task has ended during this run, it may have unblocked this task. This task is then not marked as
      // waiting, so that it runs again immediately.
      if (this.ended === endedBefore) this.waiting.add(due.id)
      return
    }
    this.ended++
    const count = (this.tries.get(due.id) ?? 0) + 1
    this.tries.set(due.id, count)
    if (count >= triesPerTask) this.abandoned.add(due.id)
  }

  private isDone({ beside }: DueTask): void {
    // The claim of a task outside the advance already reduced `besideLeft`, and `haveEnded` reduces it again. This line cancels one reduction.
    if (beside) this.besideLeft++
    this.haveEnded(beside ? { own: 0, beside: 1 } : { own: 1, beside: 0 })
  }

  private haveEnded({ own, beside }: Ended): void {
    this.ran += own + beside
    this.ended += own + beside
    this.besideLeft += own - beside
    this.hasMoved = true
    this.waiting.clear()
    this.impatient = false
    this.idle = 0
  }

  /**
   * Retries each waiting task, even before its `run_at`, and abandons it after `triesPerTask` rounds. Returns true when no task is left to
   * retry.
   */
  private async allAsked(): Promise<boolean> {
    const { storefrontId } = this.claim
    // The clock advance must not end while another process runs a dispatch task, because that process has yet to record
    // its delivery attempts.
    if (await areStreamsLeased(storefrontId)) {
      this.waiting.clear()
      await pause(lookAgainMs)
      return false
    }
    if (this.impatient && this.waiting.size === 0) return true
    await hurryStreams(storefrontId)
    if (this.impatient && ++this.idle >= triesPerTask) for (const id of this.waiting) this.abandoned.add(id)
    this.impatient = true
    this.waiting.clear()
    return false
  }

  private async moveTo(moment: Date): Promise<boolean> {
    const isMine = await moveClock(this.claim, moment)
    if (isMine) this.hasMoved = true
    else this.isLost = true
    return isMine
  }

  private tracked(work: Promise<void>): Promise<void> {
    return work
      .catch((error) => {
        this.broken ??= { error }
      })
      .finally(() => {
        this.ended++
      })
  }

  private async someEnd(): Promise<void> {
    const looked = new AbortController()
    const enough = pause(askAgainMs, undefined, looked).catch(() => undefined)
    await Promise.race([...this.dispatches.runs(), this.work ?? enough, enough]).finally(() => looked.abort())
  }
}
