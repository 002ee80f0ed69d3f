export { type Refunded, selectFunded } from './queue.ts'
export { cancelWindow, type Refund } from './refund.ts'
export { itemProblems, notRefundable, partsOf, type RefundItem } from './request.ts'
export { type RefundStatus, refundStates } from './state.ts'
