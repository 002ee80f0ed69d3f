import type { TaskClaim } from './tasks.ts'

/** A claimed task on its way to whatever runs it. */
export interface ClaimedTask extends TaskClaim {
  readonly name: string
}

/** What a task is handed to: the embedded runner, which ends with the operation; or an Inngest server, which queues. */
export interface TaskRunner {
  /** How long a claimed task is left alone before it is rung again. */
  readonly leaseMs: number
  run(task: ClaimedTask): Promise<void>
  /** For kinds of which many can be done in one go: a way to do so, after which each has ended as if it had been rung alone. */
  batchOf?(kind: string): ((tasks: readonly ClaimedTask[]) => Promise<void>) | null
}
