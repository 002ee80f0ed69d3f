import { lookUp } from '../../kernel/look-up.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'

/** Stripe's decline codes and error codes (docs.stripe.com/declines/codes), by ours. */
const reasons: Readonly<Record<string, FailureReason>> = {
  insufficient_funds: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
  try_again_later: 'temporary_decline',
  reenter_transaction: 'temporary_decline',
  issuer_not_available: 'temporary_decline',
  processing_error: 'temporary_decline',
  mandate_invalid: 'invalid_mandate',
  payment_method_unactivated: 'invalid_mandate',
  resource_missing: 'invalid_mandate',
  revocation_of_authorization: 'mandate_canceled',
  revocation_of_all_authorizations: 'mandate_canceled',
  stop_payment_order: 'mandate_canceled',
  debit_not_authorized: 'mandate_canceled',
  invalid_account: 'account_closed',
  account_closed: 'account_closed',
  expired_card: 'card_expired',
  lost_card: 'card_lost_or_stolen',
  stolen_card: 'card_lost_or_stolen',
  pickup_card: 'card_lost_or_stolen',
  incorrect_number: 'invalid_card_details',
  invalid_number: 'invalid_card_details',
  incorrect_cvc: 'invalid_card_details',
  invalid_cvc: 'invalid_card_details',
  invalid_expiry_month: 'invalid_card_details',
  invalid_expiry_year: 'invalid_card_details',
  card_not_supported: 'invalid_card_details',
  authentication_required: 'authentication_failed',
  payment_intent_authentication_failure: 'authentication_failed',
  setup_intent_authentication_failure: 'authentication_failed',
  fraudulent: 'fraud_suspected',
  security_violation: 'fraud_suspected',
  merchant_blacklist: 'fraud_suspected',
}

/** Why a payment failed: the decline code says more than the error code. `general_failure` for what is in no table. */
export const failureReasonOf = ({
  decline_code: decline,
  code,
}: {
  decline_code?: string | null | undefined
  code?: string | null | undefined
}): FailureReason => lookUp(reasons, decline ?? '') ?? lookUp(reasons, code ?? '') ?? 'general_failure'
