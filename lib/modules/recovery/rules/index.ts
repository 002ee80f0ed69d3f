export {
  attempted,
  attemptFailed,
  chargedAgainAt,
  disproved,
  endsAt,
  finish,
  mayHoldBack,
  nextStep,
  open,
  type Recovery,
  type RecoveryStatus,
  stepDone,
} from './recovery.ts'
export { reminderAt } from './schedule.ts'
