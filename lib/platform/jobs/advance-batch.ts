import { wholeSecond } from '../../kernel/moment.ts'
import type { DueTask } from './advance-tasks.ts'
import { concurrentTasks } from './tasks.ts'

/** Which of the tasks that are due next a moved clock runs at once. See testmode/README.md for why these. */

/** What follows soonest from a renewal or a charge, a direct debit that settles, comes after a batch. */
const spanMs = 600_000
export const maxBatchSize = 64
const maxConcurrent = 16

export interface Group {
  /** `batch`: in one transaction, each at its own moment; `each`: for itself, all of one moment. */
  readonly how: 'batch' | 'each'
  readonly tasks: readonly DueTask[]
}

/**
 * The group that begins with the first of `work`, which is in the order in which it is to be done. `shown` is what the clock shows, `alone`
 * are those that a batch has left over, `isTogether` says whether many of a kind can be done in one go.
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

/** Moments of the clock are whole seconds. */
export const atOf = ({ due_at }: Pick<DueTask, 'due_at'>): Date => wholeSecond(due_at)

/** Further behind what the clock shows than a batch reaches: it sees what the clock shows, as by the real clock. */
export const isLate = (due: Pick<DueTask, 'due_at'>, shown: Date): boolean =>
  shown.getTime() - atOf(due).getTime() >= spanMs

function whileTrue(tasks: readonly DueTask[], is: (due: DueTask) => boolean): readonly DueTask[] {
  const end = tasks.findIndex((due) => !is(due))
  return tasks.slice(0, end === -1 ? undefined : end)
}
