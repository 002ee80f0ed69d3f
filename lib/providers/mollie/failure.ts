import { lookUp } from '../../kernel/look-up.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'

/** Mollie's reasons for failed card payments (`details.failureReason`). */
const ofCards: Readonly<Record<string, FailureReason>> = {
  insufficient_funds: 'insufficient_funds',
  authentication_unavailable_acs: 'temporary_decline',
  card_declined: 'general_failure',
  refused_by_issuer: 'general_failure',
  unknown_reason: 'general_failure',
  card_expired: 'card_expired',
  inactive_card: 'card_lost_or_stolen',
  invalid_card_number: 'invalid_card_details',
  invalid_cvv: 'invalid_card_details',
  invalid_card_holder_name: 'invalid_card_details',
  invalid_card_type: 'invalid_card_details',
  authentication_failed: 'authentication_failed',
  authentication_abandoned: 'authentication_failed',
  authentication_required: 'authentication_failed',
  possible_fraud: 'fraud_suspected',
}

/** SEPA return codes (`details.bankReasonCode`; ISO 20022, EPC173-14). */
const ofDebits: Readonly<Record<string, FailureReason>> = {
  AM04: 'insufficient_funds',
  AG02: 'temporary_decline',
  TM01: 'temporary_decline',
  MS03: 'general_failure',
  MD01: 'invalid_mandate',
  AC01: 'invalid_mandate',
  AG01: 'invalid_mandate',
  RC01: 'invalid_mandate',
  MD06: 'mandate_canceled',
  SL01: 'mandate_canceled',
  MS02: 'mandate_canceled',
  AC04: 'account_closed',
  AC06: 'account_closed',
  MD07: 'account_closed',
}

export const failureReasonOf = ({
  failureReason,
  bankReasonCode,
}: {
  failureReason?: string | null | undefined
  bankReasonCode?: string | null | undefined
}): FailureReason =>
  lookUp(ofCards, failureReason ?? '') ?? lookUp(ofDebits, (bankReasonCode ?? '').toUpperCase()) ?? 'general_failure'
