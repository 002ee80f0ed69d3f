import { paymentStates } from './rules/state.ts'
import { isSimulated, type Payment } from './store.ts'

/**
 * Whether a payment attempt waits for the provider or the bank. False if the buyer must still complete the provider's page, or if a test helper decides the
 * outcome.
 */
export const isOnItsWay = (attempt: Payment | null): boolean =>
  attempt !== null &&
  !isSimulated(attempt) &&
  !paymentStates.isFinal(attempt.status) &&
  (attempt.purpose.kind === 'charge' || attempt.status === 'pending')
