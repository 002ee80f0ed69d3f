export { type Chargeback, needsReview, settlementAmount } from './chargeback.ts'
export { cancellationReasonOf } from './reason.ts'
export { type ChargebackStatus, chargebackStates } from './state.ts'
