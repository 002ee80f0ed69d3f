import { wholeSecond } from '../../kernel/moment.ts'
import type { DueTask } from './advance-tasks.ts'
import { concurrentTasks } from './tasks.ts'

/** lib/modules/test-helpers/README.md states the reasons for the limits in this file. */

/**
 * The tasks of a batch are due within this number of milliseconds. A task that a renewal or charge enqueues is due either immediately or after
 * more than this time, such as the settlement of a direct debit. A new task is therefore never due between two tasks of the batch.
 */
const spanMs = 600_000
export const maxBatchSize = 64
const maxConcurrent = 16

export interface Group {
  /** `batch`: one transaction runs all tasks. `each`: every task has its own transaction, and all run concurrently. */
  readonly how: 'batch' | 'each'
  readonly tasks: readonly DueTask[]
}

/**
 * The group that begins with the first task of `work`. The tasks in `work` are in execution order. `shown` is the time of the clock. `alone` has the ids of
 * tasks that an earlier batch has skipped and that must now run alone. `isTogether` tells whether a task type can run in a batch.
 */
export function groupOf(
  work: readonly [DueTask, ...DueTask[]],
  { shown, alone, isTogether }: { shown: Date; alone: ReadonlySet<string>; isTogether: (kind: string) => boolean },
): Group {
  const [first] = work
  const isOfBatch = (due: DueTask) =>
    due.name === first.name &&
    due.beside === first.beside &&
    !due.leased &&
    !alone.has(due.id) &&
    due.due_at.getTime() - first.due_at.getTime() < spanMs &&
    isLate(due, shown) === isLate(first, shown)
  const batch = isTogether(first.name) ? whileTrue(work, isOfBatch) : []
  if (batch.length > 1) return { how: 'batch', tasks: batch }
  const isSideBySide = (due: DueTask) =>
    concurrentTasks.has(due.name) && !due.leased && atOf(due).getTime() === atOf(first).getTime()
  const some = whileTrue(work.slice(0, maxConcurrent), isSideBySide)
  return { how: 'each', tasks: some.length > 0 ? some : [first] }
}

/** Rounds the due time down, because the test clock shows only whole seconds. */
export const atOf = ({ due_at }: Pick<DueTask, 'due_at'>): Date => wholeSecond(due_at)

/** A task is late if it was due ten minutes (`spanMs`) or more before the time of the clock. A late task runs at the time of the clock, not at its due time. */
export const isLate = (due: Pick<DueTask, 'due_at'>, shown: Date): boolean =>
  shown.getTime() - atOf(due).getTime() >= spanMs

function whileTrue(tasks: readonly DueTask[], is: (due: DueTask) => boolean): readonly DueTask[] {
  const end = tasks.findIndex((due) => !is(due))
  return tasks.slice(0, end === -1 ? undefined : end)
}
