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

/** What a look at due tasks does with them. */
export type Choice = 'hand over' | 'run here'

/** Watches whether the server runs what is handed to it. */
export interface TaskServer {
  /**
   * Decides what this look does. Registers the functions unless that has succeeded, without waiting for the server: one
   * that does not answer must not hold up the tasks that run here.
   */
  look(): Promise<Choice>
  /** Ends all waiting for answers of the server, for a process that is being stopped. */
  giveUp(): void
}
