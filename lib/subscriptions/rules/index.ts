export { giveUp, start } from './start.ts'
export { type SubscriptionStatus, subscriptionStates } from './state.ts'
export { type Mandate, type MandateMethod, nextRenewalAt, type Subscription } from './subscription.ts'
