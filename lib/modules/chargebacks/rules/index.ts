export { type Chargeback, needsReview, settlementAmount } from './chargeback.ts'
export { type ChargebackStatus, chargebackStates } from './state.ts'
