/** The first three reasons can be temporary. */
export const failureReasons = [
  'insufficient_funds',
  'temporary_decline',
  'general_failure',
  'invalid_mandate',
  'mandate_canceled',
  'account_closed',
  'card_expired',
  'card_lost_or_stolen',
  'invalid_card_details',
  'authentication_failed',
  'fraud_suspected',
] as const
export type FailureReason = (typeof failureReasons)[number]
