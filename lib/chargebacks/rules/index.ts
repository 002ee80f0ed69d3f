export { type Chargeback, needsReview } from './chargeback.ts'
export { type ChargebackStatus, chargebackStates } from './state.ts'
