export { type Chargeback, needsReview } from './chargeback.ts'
export { type ChargebackReason, type ChargebackStatus, chargebackStates } from './state.ts'
