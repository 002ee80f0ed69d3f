import { lookUp } from '../../kernel/look-up.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'

/** Mollie's reasons of failed card payments (`details.failureReason`), by ours. */
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

/** The reason codes of SEPA Direct Debit (`details.bankReasonCode`; ISO 20022, EPC173-14), by ours. */
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

/** Why a payment failed; `general_failure` for a reason that is not in the tables. */
export const failureReasonOf = ({
  failureReason,
  bankReasonCode,
}: {
  failureReason?: string | null | undefined
  bankReasonCode?: string | null | undefined
}): FailureReason =>
  lookUp(ofCards, failureReason ?? '') ?? lookUp(ofDebits, (bankReasonCode ?? '').toUpperCase()) ?? 'general_failure'
