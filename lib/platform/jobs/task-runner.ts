import type { TaskClaim } from './tasks.ts'

export interface ClaimedTask extends TaskClaim {
  readonly name: string
}

/** The promises of the embedded runner resolve when the task has run. The promises of the Inngest runner resolve when the task is queued. */
export interface TaskRunner {
  /** Milliseconds after which a claimed task runs again, unless its claim is extended. */
  readonly leaseMs: number
  readonly taskServer?: TaskServer
  run(task: ClaimedTask): Promise<void>
  /**
   * Returns a function that runs tasks as a batch; null for types that cannot run as a batch. A batch has the same
   * effect on each task as a single run.
   */
  batchOf?(kind: string): ((tasks: readonly ClaimedTask[]) => Promise<void>) | null
}

export type Choice = 'hand over' | 'run here'

export interface TaskServer {
  /** Registers the functions if they are not registered. Does not wait, because an unresponsive server must not delay tasks. */
  look(): Promise<Choice>
  /** Stops waiting for responses of the server, because this process is being stopped. */
  giveUp(): void
}
