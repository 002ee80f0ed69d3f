export {
  attempted,
  attemptFailed,
  chargedAgainAt,
  disproved,
  endsAt,
  finish,
  nextStep,
  open,
  type Recovery,
  type RecoveryStatus,
  stepDone,
} from './recovery.ts'
export { reminderAt } from './schedule.ts'
