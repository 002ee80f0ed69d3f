export {
  attempted,
  attemptFailed,
  endsAt,
  finish,
  nextStep,
  open,
  type Recovery,
  type RecoveryStatus,
  recoveryStates,
  stepDone,
} from './recovery.ts'
