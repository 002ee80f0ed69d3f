import { type Transaction as Transacted, transactor } from '../../platform/jobs/transact.ts'
import { type Event, publish } from './publish.ts'

export type Transaction = Transacted<Event>

export const transact = transactor(publish)
