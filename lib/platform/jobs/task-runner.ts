import type { TaskClaim } from './tasks.ts'

export interface ClaimedTask extends TaskClaim {
  readonly name: string
}

/** The embedded runner resolves when the operation ends; the Inngest runner when the task is queued. */
export interface TaskRunner {
  /** How long a claim lasts before the task is run again. */
  readonly leaseMs: number
  readonly taskServer?: TaskServer
  run(task: ClaimedTask): Promise<void>
  /** Null for types that cannot run as a batch. After a batch, each task has ended as if it had run alone. */
  batchOf?(kind: string): ((tasks: readonly ClaimedTask[]) => Promise<void>) | null
}

export type Choice = 'hand over' | 'run here'

/** Watches whether the server runs the tasks that it gets. */
export interface TaskServer {
  /**
   * Registers the functions unless that has succeeded. Does not wait: a server without a response must not delay tasks.
   */
  look(): Promise<Choice>
  /** Stops waiting for responses of the server, in a process that is being stopped. */
  giveUp(): void
}
