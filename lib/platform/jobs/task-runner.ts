import type { TaskClaim } from './tasks.ts'

/** A claimed task that is handed to a runner. */
export interface ClaimedTask extends TaskClaim {
  readonly name: string
}

/**
 * Runs claimed tasks: the embedded runner resolves when the operation ends; the Inngest runner resolves when the task
 * is queued.
 */
export interface TaskRunner {
  /** How long a claim lasts before the task is run again. */
  readonly leaseMs: number
  /** Set by a runner that hands tasks to a server. */
  readonly taskServer?: TaskServer
  run(task: ClaimedTask): Promise<void>
  /**
   * Null for task types that cannot run as a batch. Otherwise a function that runs a batch; after it, each task has
   * ended as if it had run alone.
   */
  batchOf?(kind: string): ((tasks: readonly ClaimedTask[]) => Promise<void>) | null
}

/** What the worker does with the tasks that it finds due. */
export type Choice = 'hand over' | 'run here'

/** Watches whether the server runs the tasks that it gets. */
export interface TaskServer {
  /**
   * Decides what to do with the tasks found now. Registers the functions unless that has succeeded, without waiting for
   * the server, because a server without a response must not delay tasks that run here.
   */
  look(): Promise<Choice>
  /** Stops waiting for responses of the server, in a process that is being stopped. */
  giveUp(): void
}
