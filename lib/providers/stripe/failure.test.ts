import { afterEach, describe, expect, it, vi } from 'vitest'
import { kindOf } from '../../modules/recovery/rules/schedule.ts'
import { log } from '../../platform/log.ts'
import { forgetUnknownCodes } from '../live-payments/unknown-codes.ts'
import type { StripeRefused } from './client.ts'
import { errorCodes } from './error-codes.ts'
import {
  type Codes,
  declineCodes,
  failureReasonOf,
  isOfAccount,
  verdictOf,
  verdictOfRefusal,
  waitingForRefund,
} from './failure.ts'

afterEach(() => {
  vi.restoreAllMocks()
  forgetUnknownCodes()
})

const kind = (codes: Codes) => kindOf(failureReasonOf(codes))

describe('declines', () => {
  it.each([
    'do_not_try_again',
    'restricted_card',
    'not_permitted',
    'transaction_not_allowed',
    'service_not_allowed',
    'pin_try_exceeded',
    'payment_intent_mandate_invalid',
    'bank_account_unusable',
    'no_account',
    'expired_payment_method',
    'payment_method_customer_decline',
  ])('a Stripe decline with the code %s is hard', (code) => {
    const codes = Object.hasOwn(declineCodes, code) ? { code: 'card_declined', decline_code: code } : { code }
    expect(kind(codes)).toBe('hard')
    expect(kind({ code })).toBe('hard')
  })

  it.each(['try_again_later', 'issuer_not_available', 'processing_error', 'insufficient_funds', 'do_not_honor'])(
    'a Stripe decline with the code %s is soft',
    (decline_code) => expect(kind({ code: 'card_declined', decline_code })).toBe('soft'),
  )

  it.each([
    ['do_not_honor', 'do_not_try_again', 'hard'],
    ['generic_decline', 'do_not_try_again', 'hard'],
    ['insufficient_funds', 'do_not_try_again', 'hard'],
    ['generic_decline', 'confirm_card_data', 'hard'],
    ['generic_decline', 'try_again_later', 'soft'],
    ['not_permitted', 'try_again_later', 'soft'],
    ['lost_card', 'do_not_try_again', 'hard'],
  ])('a Stripe decline with the code %s and the advice %s is %s', (decline_code, advice_code, expected) =>
    expect(kind({ code: 'card_declined', decline_code, advice_code })).toBe(expected),
  )

  it('a Stripe decline keeps its failure reason if the advice agrees with the reason', () => {
    expect(failureReasonOf({ decline_code: 'expired_card', advice_code: 'do_not_try_again' })).toBe('card_expired')
    expect(failureReasonOf({ decline_code: 'insufficient_funds', advice_code: 'try_again_later' })).toBe(
      'insufficient_funds',
    )
  })

  it('an unknown Stripe code is a general failure and is logged exactly once', () => {
    const reported = vi.spyOn(log, 'error').mockImplementation(() => undefined)
    for (const _ of [1, 2, 3]) {
      expect(failureReasonOf({ code: 'card_declined', decline_code: 'moon_phase' })).toBe('general_failure')
      expect(failureReasonOf({ code: 'moon_error' })).toBe('general_failure')
      expect(failureReasonOf({ code: 'card_declined', advice_code: 'wait_for_moon' })).toBe('general_failure')
    }
    expect(reported.mock.calls.map(([about]) => (about as { code: string }).code)).toEqual([
      'moon_phase',
      'moon_error',
      'wait_for_moon',
    ])
    for (let each = 0; each < 500; each++) verdictOf({ code: `code_${each}` })
    verdictOf({ code: 'code_499' })
    expect(reported).toHaveBeenCalledTimes(503)
  })
})

describe('account problems', () => {
  const refusal = (more: Partial<StripeRefused>) =>
    ({ status: 400, code: null, declineCode: null, adviceCode: null, param: null, ...more }) as StripeRefused

  it.each([
    'testmode_charges_only',
    'capability_not_active',
    'account_invalid',
    'payment_method_unactivated',
    'parameter_missing',
    'parameter_unknown',
    'livemode_mismatch',
    'charge_exceeds_source_limit',
    'api_key_expired',
  ])('the Stripe code %s is a problem of the account, not a decline', (code) => {
    expect(verdictOf({ code })).toBe('account')
    expect(verdictOfRefusal(refusal({ code }))).toBe('account')
    expect(isOfAccount({ type: 'invalid_request_error', code })).toBe(true)
  })

  it('a Stripe refusal without a code is an account problem, unless it concerns the payment method or has the status 402', () => {
    expect(verdictOfRefusal(refusal({ param: 'off_session' }))).toBe('account')
    expect(verdictOfRefusal(refusal({ param: 'payment_method' }))).toBe('invalid_mandate')
    expect(verdictOfRefusal(refusal({ status: 402 }))).toBe('general_failure')
    expect(isOfAccount({ type: 'invalid_request_error' })).toBe(true)
    expect(isOfAccount({ type: 'card_error', code: 'card_declined' })).toBe(false)
  })

  it.each(['lock_timeout', 'rate_limit', 'idempotency_key_in_use'])(
    'the Stripe code %s is temporary and leads to a retry',
    (code) => expect(verdictOf({ code })).toBe('later'),
  )

  it('after an account problem or an outage, a Stripe refund is retried later, and after a permanent refusal it fails', () => {
    expect(waitingForRefund(refusal({ code: 'balance_insufficient' }))?.name).toBe('AccountProblem')
    expect(waitingForRefund(refusal({ code: 'lock_timeout' }))?.name).toBe('StripeAway')
    for (const code of ['charge_already_refunded', 'charge_disputed', 'resource_missing', null])
      expect(waitingForRefund(refusal({ code }))).toBeNull()
  })
})

it('more than 200 error codes of the Stripe library are classified, over 100 of them as account problems', () => {
  const verdicts = Object.values(errorCodes)
  expect(verdicts.length).toBeGreaterThan(200)
  expect(verdicts.filter((verdict) => verdict === 'account').length).toBeGreaterThan(100)
})
