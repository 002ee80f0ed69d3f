import { setTimeout as pause } from 'node:timers/promises'
import type { TaskMoment } from '../clock/clock.ts'
import { db } from '../db/db.ts'
import { shortError } from '../short-error.ts'
import { atOf, groupOf, isLate, maxBatchSize } from './advance-batch.ts'
import { extendAdvance, finishAdvance, moveClock, releaseAdvance } from './advance-store.ts'
import {
  claimTasks,
  countDue,
  type DueTask,
  dueDeliveries,
  dueWork,
  endsOf,
  nextDelivery,
  releaseTasks,
} from './advance-tasks.ts'
import { Leases } from './leases.ts'
import type { ClaimedTask, TaskRunner } from './task-runner.ts'
import { failTask } from './tasks.ts'
import { wake } from './wake.ts'

/**
 * One run of a clock advance. It runs due tasks in the order of their times, in batches or concurrently if the result
 * is the same, and webhook deliveries at the same time. lib/modules/test-helpers/README.md states its guarantees.
 */

const lookAgainMs = 25
/** How often to look again for tasks that another process may have made due. */
const askAgainMs = 250
const triesPerTask = 3
/** The most concurrent deliveries: the rest of the process needs database connections too. */
const mostDeliveries = 20
/**
 * The number of tasks unrelated to the advance that one run starts with; each task of the advance that is done allows
 * one more. More of them would hold the advance back.
 */
const firstUnrelated = 64

export interface AdvanceResult {
  /** The tasks that this run completed. */
  readonly ran: number
  /** Due tasks that are not done: the time is over, they fail, or they come from sales made during the advance. */
  readonly remaining: number
}

interface AdvanceClaim {
  readonly runnerId: string
  readonly storefrontId: string
  readonly runner: TaskRunner
  /** Real time, in ms: no task is started after it. */
  readonly until: number
}

type Claimed = { due: DueTask; task: ClaimedTask }

export class Advance {
  private ran = 0
  private besideLeft = firstUnrelated
  private work: Promise<void> | undefined
  private readonly deliveries = new Map<string, Promise<void>>()
  private readonly tries = new Map<string, number>()
  private readonly abandoned = new Set<string>()
  /** Tasks that were tried and wait for others; skipped until a task is done. */
  private readonly waiting = new Set<string>()
  /** Tasks that a batch left over, so they run alone. */
  private readonly alone = new Set<string>()
  /** Whether deliveries are tried before their `run_at`, because nothing else is left. */
  private impatient = false
  private idle = 0
  private ended = 0
  private hasMoved = false
  private isLost = false
  private broken: { error: unknown } | undefined
  private readonly leases: Leases

  constructor(private readonly claim: AdvanceClaim) {
    this.leases = new Leases(async () => {
      const { storefrontId, runnerId } = claim
      const hasProgressed = this.hasMoved
      this.hasMoved = false
      if (!(await extendAdvance(storefrontId, runnerId, hasProgressed))) this.isLost = true
    })
  }

  async run(): Promise<AdvanceResult> {
    this.leases.start()
    try {
      return await this.toTheEnd()
    } catch (error) {
      await Promise.allSettled([...this.deliveries.values(), this.work])
      await releaseAdvance(this.claim)
      throw error
    } finally {
      await this.leases.stop()
    }
  }

  private async toTheEnd(): Promise<AdvanceResult> {
    const { storefrontId, until } = this.claim
    for (;;) {
      if (this.broken) throw this.broken.error
      const before = this.ended
      const isOver = this.isLost || Date.now() >= until
      const found = isOver ? 'nothing' : await this.startDue()
      if (this.work || this.deliveries.size > 0) {
        // A task that ended during the look may have unblocked others that the look did not find.
        if (this.ended === before) await this.someEnd()
      } else if (isOver) {
        const remaining = await countDue(storefrontId)
        if (!this.isLost) await releaseAdvance(this.claim)
        return { ran: this.ran, remaining }
      } else if (found === 'leased') {
        await pause(lookAgainMs) // the worker claimed it before the advance began
      } else if (found === 'nothing' && this.allAsked()) {
        const remaining = await finishAdvance(this.claim, [...this.abandoned], this.besideLeft > 0)
        if (remaining !== null) {
          wake()
          return { ran: this.ran, remaining }
        }
        await pause(lookAgainMs)
      }
    }
  }

  /** Starts deliveries, and work if none is running; or moves the clock to the next due delivery. */
  private async startDue(): Promise<'nothing' | 'leased' | 'something'> {
    const { storefrontId } = this.claim
    const leftOut = [...this.abandoned, ...this.waiting, ...this.deliveries.keys()]
    const withBeside = this.besideLeft > 0
    const most = mostDeliveries - this.deliveries.size
    const sought = { storefrontId, leftOut, withBeside }
    const [deliveries, work, { shown, next }] = await Promise.all([
      most > 0 ? dueDeliveries({ ...sought, most, silent: this.impatient }) : [],
      this.work ? [] : dueWork({ ...sought, most: maxBatchSize }),
      nextDelivery(storefrontId, leftOut),
    ])
    if (shown === null) {
      this.isLost = true
      return 'nothing'
    }
    if (deliveries.length > 0) await this.startDeliveries(deliveries)
    if (this.work) return 'something'
    const [first, ...others] = work
    // Deliveries do not delay later work. The clock passes their times, and stops at them if nothing else is due.
    if (next && (first ? next < atOf(first) : this.deliveries.size === 0)) {
      await this.moveTo(next)
      return 'something'
    }
    if (!first) return deliveries.length > 0 ? 'something' : 'nothing'
    if (first.leased) return 'leased'
    this.work = this.tracked(this.startWork([first, ...others], shown)).finally(() => {
      this.work = undefined
    })
    return 'something'
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

  /** Runs tasks one by one, all at the same time of the clock. */
  private async runEach(group: readonly DueTask[], shown: Date): Promise<void> {
    const [first] = group
    if (!first) return
    const at = atOf(first)
    if (at > shown && !(await this.moveTo(at))) return
    const moment: TaskMoment = { at, clock: at < shown ? 'past' : 'here' }
    const claimed = await this.claimTasks(group, () => (isLate(first, shown) ? undefined : moment))
    await Promise.all(claimed.map((each) => this.runOne(each)))
  }

  private async startDeliveries(due: readonly DueTask[]): Promise<void> {
    for (const each of await this.claimTasks(due, (delivery) => ({ at: atOf(delivery), clock: 'apart' }))) {
      const { id } = each.due
      const work = this.tracked(this.runOne(each)).finally(() => this.deliveries.delete(id))
      this.deliveries.set(id, work)
    }
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
    // Either others claimed the tasks meanwhile, or another runner took the advance over.
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
      // The delivery that blocks this one makes it due when it ends. If a task ended during this run, it may be the
      // blocking one, so this task is tried again at once.
      const isSilent = task.moment?.clock === 'apart' && !this.impatient
      if (this.ended === endedBefore && !isSilent) this.waiting.add(due.id)
      return
    }
    this.ended++
    const count = (this.tries.get(due.id) ?? 0) + 1
    this.tries.set(due.id, count)
    if (count >= triesPerTask) this.abandoned.add(due.id)
  }

  private isDone(due: DueTask): void {
    this.ran++
    this.ended++
    if (!due.beside) this.besideLeft++
    this.hasMoved = true
    this.waiting.clear()
    this.impatient = false
    this.idle = 0
  }

  /**
   * Only waiting tasks are left, if any. Each is tried a few more times, even before its `run_at`, and then abandoned.
   */
  private allAsked(): boolean {
    if (this.impatient && this.waiting.size === 0) return true
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

  /** Waits until a running task ends, or until another process may have made one due. */
  private async someEnd(): Promise<void> {
    const looked = new AbortController()
    const enough = pause(askAgainMs, undefined, looked).catch(() => undefined) // aborted: a task has ended
    await Promise.race([...this.deliveries.values(), this.work ?? enough, enough]).finally(() => looked.abort())
  }
}
