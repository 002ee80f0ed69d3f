import { describe, expect, it } from 'vitest'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import { kindOf as recoveryKind } from '../../modules/recovery/rules/schedule.ts'
import { chargebackOf, customerAndMandateOf, mandateOf, paymentOf, refundOf } from './answers.ts'
import { mollieChargeback, mollieMandate, molliePayment, mollieRefund } from './shapes.ts'

const aPayment = (differences: object = {}) =>
  molliePayment.parse({
    resource: 'payment',
    id: 'tr_1',
    status: 'open',
    method: 'creditcard',
    sequenceType: 'first',
    amount: { currency: 'EUR', value: '10.00' },
    createdAt: '2027-01-01T10:00:00+00:00',
    metadata: { payment: 'payment_1', storefront: 'storefront_1' },
    _links: { checkout: { href: 'https://www.mollie.com/checkout/1' } },
    ...differences,
  })
const read = (differences: object) => paymentOf(aPayment(differences), { mandate: null, chargebacks: [] })

describe('payments', () => {
  it.each([
    ['open', 'first', 'open'],
    ['open', 'recurring', 'pending'],
    ['pending', 'recurring', 'pending'],
    ['authorized', 'oneoff', 'pending'],
    ['paid', 'oneoff', 'paid'],
    ['canceled', 'first', 'canceled'],
    ['expired', 'first', 'expired'],
    ['failed', 'recurring', 'failed'],
    ['unheard_of', 'first', 'open'],
    ['unheard_of', 'recurring', 'pending'],
    ['constructor', 'oneoff', 'open'],
  ])('a Mollie payment with the status %s and the sequence type %s becomes %s', (status, sequenceType, ours) => {
    expect(read({ status, sequenceType }).status).toBe(ours)
  })

  it.each([
    ['creditcard', 'creditcard'],
    ['ideal', 'ideal'],
    ['klarna', null],
    [null, null],
  ])('the Mollie method %s becomes our method %s', (method, ours) => {
    expect(read({ status: 'paid', method }).method).toBe(ours)
  })

  it('a pending Mollie payment settles by the deadline of the payment method', () => {
    const debit = { status: 'pending', method: 'directdebit', sequenceType: 'recurring' }
    expect(read({ ...debit, details: { dueDate: '2027-01-04' } }).settlesBefore).toEqual(
      new Date('2027-01-11T00:00:00Z'),
    )
    expect(read(debit).settlesBefore).toEqual(new Date('2027-01-08T10:00:00Z'))
    expect(read({ status: 'pending' }).settlesBefore).toEqual(new Date('2027-01-02T10:00:00Z'))
    expect(read({ status: 'paid' }).settlesBefore).toBeNull()
  })

  it.each([
    [{ details: { cardCountryCode: 'FR' }, countryCode: 'DE' }, 'FR'],
    [{ details: { consumerAccount: 'NL91ABNA0417164300' } }, 'NL'],
    [{ details: { consumerAccount: 'buyer@example.com' }, countryCode: 'BE' }, 'BE'],
    [{ details: null }, null],
    [{ countryCode: 'Belgium' }, null],
  ])('the country of a Mollie payment with %j is %j', (differences, country) => {
    expect(read(differences).country).toBe(country)
  })

  it('a failed Mollie payment states its failure reason', () => {
    expect(read({ status: 'failed', details: { failureReason: 'possible_fraud' } }).failureReason).toBe(
      'fraud_suspected',
    )
    expect(read({ status: 'failed', details: { bankReasonCode: 'am04' } }).failureReason).toBe('insufficient_funds')
    expect(read({ status: 'failed' }).failureReason).toBe('general_failure')
    expect(read({ status: 'paid', details: { failureReason: 'possible_fraud' } }).failureReason).toBeNull()
  })

  it.each([
    [
      { bankReasonCode: 'AC04', bankReason: 'Account closed', consumerAccount: null, dueDate: '2026-12-02' },
      { failureReason: 'account_closed', kind: 'hard' },
    ],
    [
      { failureReason: 'card_expired', cardCountryCode: null },
      { failureReason: 'card_expired', kind: 'hard' },
    ],
    [
      { failureReason: null, bankReasonCode: 4, consumerAccount: {}, cardCountryCode: ['DE'] },
      { failureReason: 'general_failure', kind: 'soft' },
    ],
  ])(
    'valid details of a failed Mollie payment are read even if other details are invalid: %j',
    (details, { failureReason, kind }) => {
      const payment = read({ status: 'failed', method: 'directdebit', sequenceType: 'recurring', details })
      expect(payment).toMatchObject({ status: 'failed', failureReason })
      expect(recoveryKind(failureReason as FailureReason)).toBe(kind)
    },
  )

  it('the due date of a pending Mollie payment is read if other details are null', () => {
    const details = { bankReasonCode: null, consumerAccount: null, dueDate: '2026-12-02' }
    const debit = { status: 'pending', method: 'directdebit', sequenceType: 'recurring', details }
    expect(read(debit).settlesBefore).toEqual(new Date('2026-12-09T00:00:00Z'))
  })

  it.each(['payment', 'order', 'storefront', 'refund'])(
    'a Mollie payment whose metadata has no reference to the %s keeps its other references',
    (name) => {
      const metadata = { payment: 'payment_1', order: 'order_1', storefront: 'storefront_1', refund: 're_1' }
      expect(aPayment({ metadata: { ...metadata, [name]: null } }).metadata).toEqual({ ...metadata, [name]: null })
    },
  )

  it('a Mollie payment needs an id, a status, and an amount, and may have unknown fields', () => {
    expect(aPayment({ newField: { a: 1 }, metadata: 'text' }).metadata).toBeNull()
    for (const missing of ['id', 'status', 'amount'])
      expect(molliePayment.safeParse({ ...aPayment(), [missing]: undefined }).success).toBe(false)
    expect(molliePayment.safeParse({ ...aPayment(), amount: { currency: 'EUR', value: '1e3' } }).success).toBe(false)
  })
})

describe('mandates', () => {
  const made = (differences: object) =>
    mandateOf('mollie', 'cst_1', mollieMandate.parse({ id: 'mdt_1', ...differences }))

  it.each([
    [
      { method: 'creditcard', details: { cardNumber: '1234' } },
      { method: 'card', maskedIdentifier: '1234' },
    ],
    [
      { method: 'directdebit', details: { consumerAccount: 'NL91ABNA0417164300' }, mandateReference: 'REF-1' },
      { method: 'sepa_debit', maskedIdentifier: 'NL91****4300', reference: 'REF-1' },
    ],
    [
      { method: 'creditcard', details: { cardNumber: '1234', consumerAccount: null } },
      { method: 'card', maskedIdentifier: '1234' },
    ],
    [
      { method: 'directdebit', details: { consumerAccount: 'NL91ABNA0417164300', cardNumber: null } },
      { method: 'sepa_debit', maskedIdentifier: 'NL91****4300', reference: null },
    ],
    [
      { method: 'directdebit', details: null },
      { method: 'sepa_debit', maskedIdentifier: '****', reference: null },
    ],
    [
      { method: 'paypal', details: { consumerAccount: 'jane.doe@example.com' } },
      { method: 'paypal', maskedIdentifier: 'j***@example.com' },
    ],
  ])('the Mollie mandate %j becomes %j', (mandate, ours) => {
    for (const [status, ourStatus] of [
      ['valid', 'valid'],
      ['pending', 'pending'],
      ['unheard_of', 'pending'],
    ])
      expect(made({ status, ...mandate })).toEqual({
        provider: 'mollie',
        ref: 'cst_1/mdt_1',
        status: ourStatus,
        ...ours,
      })
  })

  it('a Mollie mandate is ignored if it is invalid or its method is not supported', () => {
    expect(made({ status: 'invalid', method: 'creditcard' })).toBeNull()
    expect(made({ status: 'valid', method: 'voucher' })).toBeNull()
  })

  it('the reference of a Mollie mandate contains the customer id and the mandate id', () => {
    expect(customerAndMandateOf('cst_1/mdt_1')).toEqual({ customerId: 'cst_1', mandateId: 'mdt_1' })
  })
})

it.each([
  ['queued', 'pending'],
  ['pending', 'pending'],
  ['processing', 'pending'],
  ['refunded', 'refunded'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
  ['unheard_of', 'pending'],
])('a Mollie refund with the status %s becomes %s', (status, ours) => {
  expect(refundOf(mollieRefund.parse({ id: 're_1', status }))).toEqual({ ref: 're_1', status: ours })
})

describe('chargebacks', () => {
  const raised = (differences: object = {}) =>
    mollieChargeback.parse({
      id: 'chb_1',
      paymentId: 'tr_1',
      amount: { currency: 'EUR', value: '-10.00' },
      createdAt: '2027-01-01T10:00:00+00:00',
      ...differences,
    })
  const at = (day: string) => new Date(`${day}T10:00:00Z`)

  it.each([
    ['creditcard', '2027-01-02', null, 'pending'],
    ['creditcard', '2027-06-29', null, 'pending'],
    ['creditcard', '2027-06-30', null, 'lost'],
    ['creditcard', '2027-01-02', '2027-01-02T09:00:00+00:00', 'won'],
    ['directdebit', '2027-01-02', null, 'lost'],
  ])(
    'a Mollie chargeback of a %s payment, read on %s and reversed at %j, becomes %s',
    (method, day, reversedAt, status) => {
      expect(chargebackOf(raised({ reversedAt }), { method }, at(day))).toMatchObject({
        ref: 'tr_1/chb_1',
        paymentRef: 'tr_1',
        amount: { minor: 1000n, currency: 'EUR' },
        status,
      })
    },
  )

  it('a Mollie chargeback states the bank’s reason as a text or as a code', () => {
    const of = (reason: object | null) =>
      chargebackOf(raised({ reason }), { method: 'creditcard' }, at('2027-01-02')).reason
    expect(of({ code: 'AC04', description: 'Account closed' })).toBe('Account closed')
    expect(of({ code: 'AC04' })).toBe('AC04')
    expect(of({ code: 'AC04', description: null })).toBe('AC04')
    expect(of({ code: null, description: 'Account closed' })).toBe('Account closed')
    expect(of(null)).toBe('chargeback')
    expect(of({ description: 'x'.repeat(300) })).toHaveLength(255)
  })

  it.each([
    ['AM04', 'insufficient_funds'],
    ['MS03', 'general_failure'],
    ['AC01', 'invalid_mandate'],
    ['AC04', 'account_closed'],
    ['AC06', 'account_closed'],
    ['MS02', 'mandate_canceled'],
    ['AG01', 'invalid_mandate'],
    ['RC01', 'invalid_mandate'],
    ['XX99', 'invalid_mandate'],
  ])(
    'a Mollie chargeback of a direct debit with the code %s counts as a return with the failure reason %s',
    (code, returnedFor) => {
      const reason = { code, description: 'A reason' }
      expect(chargebackOf(raised({ reason }), { method: 'directdebit' }, at('2027-01-02'))).toMatchObject({
        status: 'lost',
        returnedFor,
      })
      expect(chargebackOf(raised({ reason }), { method: 'creditcard' }, at('2027-01-02'))).not.toHaveProperty(
        'returnedFor',
      )
    },
  )

  it.each([
    ['MD06', 'subscription_canceled'],
    ['SL01', 'subscription_canceled'],
    ['MD01', 'fraud'],
    ['AM05', 'duplicate'],
  ])('the return code %s of a Mollie direct debit leads to a dispute with the reason %s', (code, ours) => {
    const reason = { code, description: 'A reason' }
    const update = chargebackOf(raised({ reason }), { method: 'directdebit' }, at('2027-01-02'))
    expect(update).toMatchObject({ status: 'lost', reason: ours })
    expect(update).not.toHaveProperty('returnedFor')
  })

  it('a Mollie direct debit becomes a chargeback if it is returned without a code', () => {
    const update = chargebackOf(raised({ reason: null }), { method: 'directdebit' }, at('2027-01-02'))
    expect(update).toMatchObject({ status: 'lost', reason: 'chargeback' })
    expect(update).not.toHaveProperty('returnedFor')
  })
})
