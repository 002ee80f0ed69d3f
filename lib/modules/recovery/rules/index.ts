export {
  attempted,
  attemptFailed,
  type Collects,
  chargedAgainAt,
  collected,
  disproved,
  endReturned,
  endsAt,
  finish,
  holdsRenewals,
  mayHoldBack,
  nextStep,
  open,
  type Recovery,
  type RecoveryStatus,
  stepDone,
} from './recovery.ts'
export { reasonWithout, reminderAt } from './schedule.ts'
