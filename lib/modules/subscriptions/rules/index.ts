export { askForMethodAt, lateMandateMs } from './ask-for-method.ts'
export { type BillingLine, isCharged, methodOf, orderOf, priceLines } from './bill.ts'
export { cancel, cancelNow, endAtPaidPeriod, lapse } from './cancel.ts'
export { change, creditExceedsCharge } from './change.ts'
export { changeProblems, isChangeable, termsAfter } from './change-problems.ts'
export type { Change, Changed } from './change-request.ts'
export { type ChargedChange, snapshotOf } from './charged-change.ts'
export type { CancellationFeedback } from './feedback.ts'
export {
  isNoticeAhead,
  isPastDebitNotice,
  type NoticeKind,
  noticeKinds,
  noticeKindsOf,
  noticesBefore,
} from './notices.ts'
export { pause, unpause } from './pause.ts'
export { type Charge, nextRenewal, previewed } from './preview.ts'
export { renew } from './renew.ts'
export { resume } from './resume.ts'
export { abandon, start } from './start.ts'
export { isOngoing, ongoingStatuses, type SubscriptionStatus, subscriptionStates } from './state.ts'
export {
  amountOf,
  type Mandate,
  type MandateMethod,
  nextRenewalAt,
  type PlanTerms,
  planOf,
  type ScheduledUpdate,
  type Subscription,
  sameTerms,
  scheduledTerms,
  type Terms,
} from './subscription.ts'
export { isRemovedBy, movesCycle, remaining, type Undone, undoChanges } from './undo-change.ts'
export { type BilledUnits, paidWithout, withdrawUnits } from './withdraw-units.ts'
