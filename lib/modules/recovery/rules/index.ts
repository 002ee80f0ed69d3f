export {
  finalFailure,
  type OpenRecovery,
  openRecovery,
  type PaymentFailure,
  paymentFailure,
} from './payment-failure.ts'
export {
  attempted,
  attemptFailed,
  attemptsOf,
  attemptWithdrawn,
  type Collects,
  chargedAgainAt,
  collected,
  disproved,
  endReturned,
  endsAt,
  failedAgain,
  finish,
  holdsRenewals,
  isLastStep,
  mayHoldBack,
  nextStep,
  open,
  type Recovery,
  stepDone,
} from './recovery.ts'
export { type RecoveryKind, reasonWithout, recoveryKinds, reminderAt } from './schedule.ts'
