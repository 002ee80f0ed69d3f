import { paymentStates } from './rules/state.ts'
import { isSimulated, type Payment } from './store.ts'

/** Excludes an attempt on a page that the buyer has not completed, and an attempt that a test helper decides. */
export const isOnItsWay = (attempt: Payment | null): boolean =>
  attempt !== null &&
  !isSimulated(attempt) &&
  !paymentStates.isFinal(attempt.status) &&
  (attempt.purpose.kind === 'charge' || attempt.status === 'pending')
