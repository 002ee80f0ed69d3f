import type Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { kindOf } from '../../modules/recovery/rules/schedule.ts'
import { chargebackOf, customerAndMethodOf, mandateOf, paymentOf, refundOf, setUpBy, takesMoney } from './answers.ts'

const anIntent = (differences: object = {}) =>
  ({
    id: 'pi_1',
    object: 'payment_intent',
    status: 'succeeded',
    created: 1_800_000_000,
    customer: 'cus_1',
    payment_method_types: ['card'],
    latest_charge: null,
    last_payment_error: null,
    metadata: {},
    ...differences,
  }) as unknown as Stripe.PaymentIntent
const aSession = (status: string) => ({ id: 'cs_1', status, created: 1_800_000_000 }) as Stripe.Checkout.Session
const charge = (payment_method_details: object) => ({ id: 'ch_1', payment_method_details })
const none = { mandate: null, chargebacks: [] }

describe('payments', () => {
  it.each([
    ['open', null, 'open'],
    ['open', 'requires_payment_method', 'open'],
    ['expired', null, 'expired'],
    ['expired', 'requires_payment_method', 'expired'],
    ['complete', 'processing', 'pending'],
    ['complete', 'succeeded', 'paid'],
    ['complete', 'requires_payment_method', 'pending'],
    ['complete', 'canceled', 'canceled'],
    [null, 'succeeded', 'paid'],
    [null, 'processing', 'pending'],
    [null, 'requires_action', 'failed'],
    [null, 'requires_confirmation', 'pending'],
    [null, 'requires_payment_method', 'pending'],
    [null, 'a status of tomorrow', 'pending'],
  ])('a Stripe payment with the session status %s and the intent status %s becomes %s', (session, intent, ours) => {
    const given = { session: session ? aSession(session) : null, intent: intent ? anIntent({ status: intent }) : null }
    expect(paymentOf('cs_1', given, none).status).toBe(ours)
  })

  it('a Stripe payment with a completed session and an unconfirmed intent fails after one day', () => {
    const given = { session: aSession('complete'), intent: anIntent({ status: 'requires_confirmation', created: 1 }) }
    expect(paymentOf('cs_1', given, none).status).toBe('failed')
  })

  it('a pending Stripe payment settles by the deadline of the payment method', () => {
    const pending = (type: string) =>
      paymentOf(
        'pi_1',
        { session: null, intent: anIntent({ status: 'processing', payment_method_types: [type] }) },
        none,
      )
    expect(pending('sepa_debit').settlesBefore).toEqual(new Date('2027-02-05T08:00:00Z'))
    expect(pending('paypal').settlesBefore).toEqual(new Date('2027-01-16T08:00:00Z'))
  })

  it.each([
    [{ last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' } }, 'insufficient_funds'],
    [{ last_payment_error: { code: 'expired_card', decline_code: 'expired_card' } }, 'card_expired'],
    [{ last_payment_error: { code: 'card_declined', decline_code: 'lost_card' } }, 'card_lost_or_stolen'],
    [{ last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' } }, 'general_failure'],
    [{ last_payment_error: { code: 'authentication_required' } }, 'authentication_failed'],
    [{ last_payment_error: { code: 'debit_not_authorized' } }, 'mandate_canceled'],
    [{ status: 'requires_action' }, 'authentication_failed'],
  ])('a Stripe payment that failed with %j has the reason %s', (differences, reason) => {
    const intent = anIntent({ status: 'requires_payment_method', ...differences })
    expect(paymentOf('pi_1', { session: null, intent }, none)).toMatchObject({
      status: 'failed',
      failureReason: reason,
    })
  })

  it.each([
    ['card', 'creditcard'],
    ['ideal', 'ideal'],
    ['bancontact', 'bancontact'],
    ['paypal', 'paypal'],
    ['sepa_debit', 'directdebit'],
    ['link', null],
    ['a type of tomorrow', null],
    ['toString', null],
  ])('the Stripe type %s becomes our payment method %s', (type, method) => {
    const paid = anIntent({ payment_method_types: ['card'], latest_charge: charge({ type }) })
    expect(paymentOf('cs_1', { session: null, intent: paid }, none).method).toBe(method)
    const latest_attempt = { id: 'setatt_1', payment_method_details: { type } }
    const setUp = { id: 'seti_1', status: 'succeeded', created: 1, payment_method_types: [], latest_attempt }
    const intent = setUp as unknown as Stripe.SetupIntent
    expect(paymentOf('cs_1', { session: null, intent }, none).method).toBe(method)
  })

  it('a Stripe payment has no method before Stripe states the method', () => {
    expect(paymentOf('cs_1', { session: aSession('open'), intent: null }, none).method).toBeNull()
    expect(paymentOf('cs_1', { session: null, intent: anIntent() }, none).method).toBeNull()
    const latest_charge = 'ch_1'
    expect(paymentOf('cs_1', { session: null, intent: anIntent({ latest_charge }) }, none).method).toBeNull()
  })

  it('a Stripe payment has the country of the card, the PayPal account, or the bank', () => {
    const countryOf = (details: object) =>
      paymentOf('pi_1', { session: null, intent: anIntent({ latest_charge: charge(details) }) }, none).country
    expect(countryOf({ card: { country: 'FR' } })).toBe('FR')
    expect(countryOf({ sepa_debit: { country: 'NL' } })).toBe('NL')
    expect(countryOf({ card: { country: null } })).toBeNull()
    expect(countryOf({ paypal: { country: 'BE' } })).toBe('BE')
    expect(countryOf({ paypal: { country: null } })).toBeNull()
    expect(countryOf({ ideal: { bic: 'ABNANL2A' } })).toBe('NL')
    expect(countryOf({ bancontact: { bic: 'GEBABEBB' } })).toBe('BE')
    const debit = { id: 'pm_2', type: 'sepa_debit', sepa_debit: { country: 'LT', last4: '4300' } }
    expect(countryOf({ ideal: { bic: 'BUNQNL2A', generated_sepa_debit: debit } })).toBe('LT')
    expect(countryOf({ ideal: { bic: null, generated_sepa_debit: 'pm_2' } })).toBeNull()
  })
})

describe('mandates', () => {
  const card = { id: 'pm_1', type: 'card', card: { last4: '4242' } } as Stripe.PaymentMethod

  it('a Stripe mandate consists of the customer and the saved payment method', () => {
    const setUp = setUpBy(anIntent({ payment_method: card }))
    expect(setUp).toEqual({ customerId: 'cus_1', paymentMethodId: 'pm_1', method: card, mandateId: null })
    const mandate = setUp && mandateOf('stripe', setUp, card, null)
    expect(mandate).toEqual({
      provider: 'stripe',
      ref: 'cus_1/pm_1',
      status: 'valid',
      method: 'card',
      maskedIdentifier: '4242',
    })
    expect(customerAndMethodOf('cus_1/pm_1')).toEqual({ customer: 'cus_1', paymentMethod: 'pm_1' })
  })

  it('a Stripe mandate needs a customer and a payment method that can be charged later', () => {
    expect(setUpBy(null)).toBeNull()
    expect(setUpBy(anIntent({ customer: null, payment_method: card }))).toBeNull()
    expect(setUpBy(anIntent({ payment_method: { id: 'pm_1', type: 'ideal' } }))).toBeNull()
    expect(setUpBy(anIntent({ payment_method: 'pm_1' }))).toBeNull()
  })

  it.each(['ideal', 'bancontact'])('a Stripe mandate that was set up by %s debits the buyer’s bank account', (type) => {
    const details = { [type]: { generated_sepa_debit: 'pm_2', generated_sepa_debit_mandate: 'mandate_1' } }
    const given = { payment_method: { id: 'pm_1', type }, latest_charge: charge(details) }
    const setUp = { customerId: 'cus_1', paymentMethodId: 'pm_2', method: null, mandateId: 'mandate_1' }
    expect(setUpBy(anIntent(given))).toEqual(setUp)
    const debit = {
      id: 'pm_2',
      type: 'sepa_debit',
      sepa_debit: { country: 'NL', last4: '4300' },
    } as Stripe.PaymentMethod
    expect(mandateOf('stripe', setUp, debit, 'ABCD')).toMatchObject({
      ref: 'cus_1/pm_2',
      method: 'sepa_debit',
      maskedIdentifier: 'NL****4300',
      reference: 'ABCD',
    })
  })

  it('a Stripe mandate that was set up for 0.00 uses the method of the latest setup attempt', () => {
    const attempt = { payment_method_details: { ideal: { generated_sepa_debit: 'pm_2' } } }
    const intent = { id: 'seti_1', customer: 'cus_1', payment_method: 'pm_1', latest_attempt: attempt }
    expect(setUpBy(intent as unknown as Stripe.SetupIntent)).toMatchObject({ paymentMethodId: 'pm_2' })
  })

  it('a Stripe mandate for PayPal shows a masked email address', () => {
    const paypal = { id: 'pm_1', type: 'paypal', paypal: { payer_email: 'ada@example.com' } } as Stripe.PaymentMethod
    const setUp = setUpBy(anIntent({ payment_method: paypal }))
    expect(setUp && mandateOf('stripe', setUp, paypal, null)).toMatchObject({ maskedIdentifier: 'a***@example.com' })
  })
})

it.each([
  ['succeeded', 'refunded'],
  ['pending', 'pending'],
  ['requires_action', 'pending'],
  [null, 'pending'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
])('a Stripe refund with the status %s becomes %s', (status, ours) => {
  expect(refundOf({ id: 're_1', status } as Stripe.Refund)).toEqual({ ref: 're_1', status: ours })
})

describe('disputes', () => {
  const aDispute = (differences: object) =>
    ({ id: 'du_1', amount: 1190, currency: 'eur', reason: 'fraudulent', ...differences }) as Stripe.Dispute

  it.each([
    ['needs_response', 'pending'],
    ['under_review', 'evidence_submitted'],
    ['appeal_under_review', 'evidence_submitted'],
    ['won', 'won'],
    ['lost', 'lost'],
    ['warning_closed', 'won'],
  ])('a Stripe dispute with the status %s becomes %s', (status, ours) => {
    expect(chargebackOf(aDispute({ status }), 'cs_1')).toMatchObject({
      ref: 'cs_1/du_1',
      paymentRef: 'cs_1',
      status: ours,
      amount: { minor: 1190n, currency: 'EUR' },
    })
  })

  it.each([
    ['fraudulent', 'fraud'],
    ['product_not_received', 'product_not_received'],
    ['product_unacceptable', 'product_unacceptable'],
    ['duplicate', 'duplicate'],
    ['subscription_canceled', 'subscription_canceled'],
    ['insufficient_funds', 'insufficient_funds'],
    ['', 'chargeback'],
  ])('a Stripe dispute with the reason %j becomes a chargeback with the reason %s', (reason, ours) => {
    expect(chargebackOf(aDispute({ status: 'lost', reason }), 'cs_1').reason).toBe(ours)
  })

  it.each([
    ['insufficient_funds', 'insufficient_funds', 'soft'],
    ['bank_cannot_process', 'general_failure', 'soft'],
    ['incorrect_account_details', 'invalid_mandate', 'hard'],
  ] as const)(
    'the Stripe dispute reason %s of a direct debit leads to the failure reason %s, which counts as a %s decline',
    (reason, failure, kind) => {
      const { returnedFor } = chargebackOf(aDispute({ status: 'lost', reason }), 'cs_1')
      expect(returnedFor).toBe(failure)
      expect(kindOf(failure)).toBe(kind)
    },
  )

  it.each([
    ['debit_not_authorized', 'fraud'],
    ['customer_initiated', 'subscription_canceled'],
    ['fraudulent', 'fraud'],
    ['duplicate', 'duplicate'],
    ['general', 'general'],
  ])('the Stripe dispute reason %s of a direct debit becomes a chargeback with the reason %s', (reason, ours) => {
    const update = chargebackOf(aDispute({ status: 'lost', reason }), 'cs_1')
    expect(update).toMatchObject({ status: 'lost', reason: ours })
    expect(update).not.toHaveProperty('returnedFor')
  })

  it.each(['insufficient_funds', 'debit_not_authorized', 'customer_initiated'])(
    'the Stripe dispute reason %s of a PayPal payment becomes the chargeback reason of the same name, and not a returned debit',
    (reason) => {
      const update = chargebackOf(
        aDispute({ status: 'lost', reason, payment_method_details: { type: 'paypal' } }),
        'cs_1',
      )
      expect(update.reason).toBe(reason)
      expect(update).not.toHaveProperty('returnedFor')
    },
  )

  it('an open Stripe dispute is fetched daily until it is decided', () => {
    expect(chargebackOf(aDispute({ status: 'needs_response' }), 'cs_1').askAgain).toEqual({ days: 1 })
    expect(chargebackOf(aDispute({ status: 'lost' }), 'cs_1')).not.toHaveProperty('askAgain')
  })

  it('a Stripe inquiry or prevented dispute deducts no money, and other disputes do', () => {
    const takes = ['warning_needs_response', 'prevented', 'needs_response', 'lost'].map((status) =>
      takesMoney(aDispute({ status })),
    )
    expect(takes).toEqual([false, false, true, true])
  })

  it('a Stripe dispute in an unsupported currency throws an error', () => {
    expect(() => chargebackOf(aDispute({ status: 'lost', currency: 'jpy' }), 'cs_1')).toThrow('JPY')
  })
})
