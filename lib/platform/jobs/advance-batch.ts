import { wholeSecond } from '../../kernel/moment.ts'
import type { DueTask } from './advance-tasks.ts'
import { concurrentTasks } from './tasks.ts'

/** The reasons are in lib/modules/test-helpers/README.md. */

/** A settlement of a direct debit is the earliest consequence of a charge, and comes after the end of a batch. */
const spanMs = 600_000
export const maxBatchSize = 64
const maxConcurrent = 16

export interface Group {
  /** `batch`: one transaction, each task at its own time. `each`: one transaction per task, all at the same time. */
  readonly how: 'batch' | 'each'
  readonly tasks: readonly DueTask[]
}

/**
 * The group that begins with the first task of `work`, which is in execution order. `shown` is the time that the clock
 * shows, `alone` has the tasks that a batch left over, and `isTogether` tells whether a task type can run as a batch.
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

/** Times on the clock are whole seconds. */
export const atOf = ({ due_at }: Pick<DueTask, 'due_at'>): Date => wholeSecond(due_at)

/** A task behind the clock by the span of a batch sees the time that the clock shows, as on a real clock. */
export const isLate = (due: Pick<DueTask, 'due_at'>, shown: Date): boolean =>
  shown.getTime() - atOf(due).getTime() >= spanMs

function whileTrue(tasks: readonly DueTask[], is: (due: DueTask) => boolean): readonly DueTask[] {
  const end = tasks.findIndex((due) => !is(due))
  return tasks.slice(0, end === -1 ? undefined : end)
}
