import { type Transaction as Transacted, transactor } from '../../platform/jobs/transact.ts'
import { type Event, publish } from './publish.ts'

export type Transaction = Transacted<Event>

/** Runs an operation in one transaction, with its events, tasks, and idempotent response. */
export const transact = transactor(publish)
