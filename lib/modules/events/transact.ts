import { type Transaction as Transacted, transactor } from '../../platform/jobs/transact.ts'
import { type Event, publish } from './publish.ts'

/** What an operation works with inside its transaction: changes, tasks, and the events of the interface. */
export type Transaction = Transacted<Event>

/**
 * Runs an operation in one transaction, with its events, tasks and idempotent answer (see `lib/platform/jobs/transact.ts`).
 */
export const transact = transactor(publish)
