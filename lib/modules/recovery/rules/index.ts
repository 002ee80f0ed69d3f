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
  isLastStep,
  mayHoldBack,
  nextStep,
  open,
  type Recovery,
  stepDone,
} from './recovery.ts'
export { reasonWithout, reminderAt } from './schedule.ts'
