export { giveUp, start } from './start.ts'
export type { SubscriptionStatus } from './state.ts'
export { type Mandate, nextRenewalAt, type Subscription } from './subscription.ts'
