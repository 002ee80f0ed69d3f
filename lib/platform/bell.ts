import type { Ringing } from './tasks.ts'

/** A claimed task on its way to whatever runs it. */
export interface Rung extends Ringing {
  readonly name: string
}

/** What a task is handed to: the embedded runner, which ends with the operation; or an Inngest server, which queues. */
export interface Bell {
  /** How long a claimed task is left alone before it is rung again. */
  readonly leaseMs: number
  ring(task: Rung): Promise<void>
  /** Runs tasks of one kind in one go where that saves most of the work; each has ended as if it had been rung alone. */
  ringTogether?(tasks: readonly Rung[]): Promise<void>
}
