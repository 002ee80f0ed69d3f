import { lookUp } from '../../kernel/look-up.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import { AccountProblem } from '../live-payments/account-problems.ts'
import { reportUnknownCode } from '../live-payments/unknown-codes.ts'
import type { Verdict, Verdicts } from '../live-payments/verdict.ts'
import { StripeAway, type StripeRefused } from './client.ts'
import { errorCodes } from './error-codes.ts'

/** Decline codes of banks (docs.stripe.com/declines/codes, docs.stripe.com/declines/network-codes). */
export const declineCodes: Verdicts = {
  account_closed: 'account_closed',
  approve_with_id: 'temporary_decline',
  authentication_not_handled: 'authentication_failed',
  authentication_required: 'authentication_failed',
  bank_account_closed: 'account_closed',
  bank_account_frozen: 'account_closed',
  bank_account_invalid_details: 'invalid_mandate',
  bank_account_restricted: 'account_closed',
  bank_account_unusable: 'account_closed',
  bank_ownership_changed: 'invalid_mandate',
  call_issuer: 'general_failure',
  card_not_supported: 'invalid_card_details',
  card_velocity_exceeded: 'insufficient_funds',
  currency_not_supported: 'invalid_card_details',
  customer_decline: 'mandate_canceled',
  debit_not_authorized: 'mandate_canceled',
  do_not_honor: 'general_failure',
  do_not_try_again: 'invalid_mandate',
  duplicate_transaction: 'temporary_decline',
  expired_card: 'card_expired',
  expired_payment_method: 'card_expired',
  fraudulent: 'fraud_suspected',
  generic_decline: 'general_failure',
  incorrect_address: 'invalid_card_details',
  incorrect_cvc: 'invalid_card_details',
  incorrect_number: 'invalid_card_details',
  incorrect_pin: 'invalid_card_details',
  incorrect_zip: 'invalid_card_details',
  insufficient_funds: 'insufficient_funds',
  invalid_account: 'account_closed',
  invalid_amount: 'general_failure',
  invalid_cvc: 'invalid_card_details',
  invalid_expiry_month: 'invalid_card_details',
  invalid_expiry_year: 'invalid_card_details',
  invalid_number: 'invalid_card_details',
  invalid_pin: 'invalid_card_details',
  issuer_not_available: 'temporary_decline',
  lost_card: 'card_lost_or_stolen',
  merchant_blacklist: 'fraud_suspected',
  mobile_device_authentication_required: 'authentication_failed',
  new_account_information_available: 'card_expired',
  no_account: 'account_closed',
  no_action_taken: 'general_failure',
  not_permitted: 'invalid_mandate',
  offline_pin_required: 'invalid_card_details',
  online_or_offline_pin_required: 'invalid_card_details',
  payment_method_customer_decline: 'mandate_canceled',
  pickup_card: 'card_lost_or_stolen',
  pin_try_exceeded: 'card_lost_or_stolen',
  processing_error: 'temporary_decline',
  recipient_deceased: 'account_closed',
  reenter_transaction: 'temporary_decline',
  restricted_card: 'card_lost_or_stolen',
  revocation_of_all_authorizations: 'mandate_canceled',
  revocation_of_authorization: 'mandate_canceled',
  security_violation: 'fraud_suspected',
  service_not_allowed: 'invalid_mandate',
  stolen_card: 'card_lost_or_stolen',
  stop_payment_order: 'mandate_canceled',
  // A buyer used one of Stripe's test cards in live mode.
  testmode_decline: 'invalid_card_details',
  transaction_not_allowed: 'invalid_mandate',
  try_again_later: 'temporary_decline',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
}

const allCodes: Verdicts = { ...declineCodes, ...errorCodes }

const soft: readonly Verdict[] = ['insufficient_funds', 'temporary_decline', 'general_failure']
/** The bank's advice can change the failure reason (docs.stripe.com/declines/card#retrying-issuer-declines). */
const advice: Readonly<Record<string, (reason: FailureReason) => FailureReason>> = {
  // Card networks charge a fee for a retry after `do_not_try_again`.
  do_not_try_again: (reason) => (soft.includes(reason) ? 'invalid_mandate' : reason),
  confirm_card_data: (reason) => (soft.includes(reason) ? 'invalid_card_details' : reason),
  try_again_later: (reason) => (soft.includes(reason) ? reason : 'temporary_decline'),
}

export interface Codes {
  readonly code?: string | null | undefined
  readonly decline_code?: string | null | undefined
  readonly advice_code?: string | null | undefined
}

/**
 * Prefers the decline code, because the decline code is more specific than the error code. Reports unknown codes, and
 * returns `general_failure` if neither code is known.
 */
export function verdictOf({ code, decline_code, advice_code }: Codes): Verdict {
  const verdict = known(decline_code, declineCodes) ?? known(code, allCodes) ?? 'general_failure'
  if (verdict === 'account' || verdict === 'later') return verdict
  const advised = lookUp(advice, advice_code ?? '')
  if (advice_code && !advised) reportUnknownCode('stripe', advice_code)
  return advised ? advised(verdict) : verdict
}

function known(code: string | null | undefined, table: Verdicts): Verdict | null {
  if (!code) return null
  const verdict = lookUp(table, code)
  if (verdict === undefined) reportUnknownCode('stripe', code)
  return verdict ?? null
}

const ofBuyer = new Set(['payment_method', 'customer', 'mandate', 'email', 'customer_email', 'name'])

/** An invalid request without a code is our error, unless the invalid field contains the buyer's input. */
export function verdictOfRefusal({ status, code, declineCode, adviceCode, param }: StripeRefused): Verdict {
  const isWrongRequest = status !== 402 && code === null && declineCode === null
  if (isWrongRequest) return ofBuyer.has(param ?? '') ? 'invalid_mandate' : 'account'
  return verdictOf({ code, decline_code: declineCode, advice_code: adviceCode })
}

const finalForRefunds = new Set([
  'charge_already_refunded',
  'charge_disputed',
  'charge_not_refundable',
  'refund_disputed_payment',
  'resource_missing',
])

/**
 * Returns the error to throw if a retry of the refund can succeed later, for example after the balance has grown.
 * Returns null if the refund has failed.
 */
export function waitingForRefund({ code, message }: StripeRefused): AccountProblem | StripeAway | null {
  if (code === null || finalForRefunds.has(code)) return null
  const verdict = verdictOf({ code })
  if (verdict === 'later') return new StripeAway(message, true)
  return verdict === 'account' || verdict === 'insufficient_funds' ? new AccountProblem(code, message) : null
}

export const isOfAccount = (error: Codes & { readonly type: string }): boolean =>
  error.code || error.decline_code ? verdictOf(error) === 'account' : error.type === 'invalid_request_error'

export function waitingFor(error: StripeRefused): AccountProblem | StripeAway | null {
  const verdict = verdictOfRefusal(error)
  if (verdict === 'later') return new StripeAway(error.message, true)
  return verdict === 'account' ? new AccountProblem(error.code ?? error.param ?? 'request', error.message) : null
}

const reasonIn = (verdict: Verdict): FailureReason =>
  verdict === 'account' || verdict === 'later' ? 'general_failure' : verdict

export const failureReasonOf = (codes: Codes): FailureReason => reasonIn(verdictOf(codes))

export const reasonOfRefusal = (error: StripeRefused): FailureReason => reasonIn(verdictOfRefusal(error))
