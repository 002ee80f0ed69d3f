import { describe, expect, it } from 'vitest'
import {
  compareChargeback,
  comparePayment,
  compareRefund,
  missingChargeback,
  missingPayment,
  missingRefund,
  type OurChargeback,
  type OurPayment,
  type OurRefund,
} from './compare.ts'

const booked = { ref: 'tr_1', paymentId: 'payment_1', storefrontId: 'storefront_1', amount: '10.00 EUR', isPaid: true }
const ours: OurPayment = {
  id: 'payment_1',
  ref: 'tr_1',
  amount: '10.00 EUR',
  status: 'paid',
  isReturned: false,
  isSettled: true,
}
const unpaid = { ...ours, status: 'unpaid' } as const

describe('payments', () => {
  it.each([
    ['has no difference if it is paid on both sides', booked, ours, null],
    ['has no difference if it is unpaid on both sides', { ...booked, isPaid: false }, unpaid, null],
    ['is ignored if another system created it', { ...booked, paymentId: null }, null, null],
    ['is ignored if it is unpaid at the provider and unknown here', { ...booked, isPaid: false }, null, null],
    ['is reported if it is paid at the provider and unknown here', booked, null, 'payment_unknown'],
    ['is reported if it is paid at the provider and unpaid here', booked, unpaid, 'payment_not_posted'],
    ['has no difference if it was paid too late and returned', booked, { ...unpaid, isReturned: true }, null],
    [
      'is reported if it is paid here and unpaid at the provider',
      { ...booked, isPaid: false },
      ours,
      'payment_not_received',
    ],
    [
      'is ignored if it became paid here during the comparison',
      { ...booked, isPaid: false },
      { ...ours, isSettled: false },
      null,
    ],
    [
      'is reported if it has an unknown status at the provider',
      { ...booked, isPaid: false, unknownStatus: 'unheard_of' },
      unpaid,
      'payment_status_unknown',
    ],
    [
      'is reported if it has another amount at the provider',
      { ...booked, amount: '10.01 EUR' },
      ours,
      'payment_amount',
    ],
    [
      'is reported if it has another currency at the provider',
      { ...booked, amount: '10.00 USD' },
      ours,
      'payment_amount',
    ],
  ] as const)('in a comparison of our books with the provider’s books, a payment %s', (_title, there, here, kind) => {
    expect(comparePayment(there, here)?.kind ?? null).toBe(kind)
  })

  it('the report of a payment difference states the ids of the payment, and its amounts and statuses at the provider and in our books', () => {
    const difference = { kind: 'payment_not_posted', ref: 'tr_1', id: 'payment_1' }
    expect(comparePayment(booked, unpaid)).toEqual({
      ...difference,
      atProvider: '10.00 EUR, paid',
      ours: '10.00 EUR, not paid',
    })
    const there = { ...booked, isPaid: false, unknownStatus: 'unheard_of' }
    expect(comparePayment(there, unpaid)).toMatchObject({
      atProvider: '10.00 EUR, unheard_of',
      ours: '10.00 EUR, not paid',
    })
    expect(missingPayment(ours)).toEqual({
      ...difference,
      kind: 'payment_not_received',
      atProvider: null,
      ours: '10.00 EUR, paid',
    })
  })
})

const refunded: OurRefund = { id: 'refund_1', amount: '5.00 EUR', status: 'refunded', isSettled: true }
const returned = {
  ref: 're_1',
  refundId: 'refund_1',
  paymentRef: 'tr_1',
  storefrontId: 'storefront_1',
  amount: '5.00 EUR',
  hasFailed: false,
}
const failed = { ...returned, hasFailed: true }

describe('refunds', () => {
  it.each([
    ['has no difference if it is complete on both sides', returned, refunded, true, null],
    [
      'has no difference if it has the status sent on both sides',
      returned,
      { ...refunded, status: 'sent' },
      true,
      null,
    ],
    [
      'is ignored if it failed at the provider and has the status sent here',
      failed,
      { ...refunded, status: 'sent' },
      true,
      null,
    ],
    ['has no difference if it failed on both sides', failed, { ...refunded, status: 'unsent' }, true, null],
    ['is reported if it failed at the provider and is complete here', failed, refunded, true, 'refund_not_sent'],
    [
      'is ignored if it failed at the provider and changed here during the comparison',
      failed,
      { ...refunded, isSettled: false },
      true,
      null,
    ],
    [
      'is reported if it was sent at the provider and not here',
      returned,
      { ...refunded, status: 'unsent' },
      true,
      'refund_not_posted',
    ],
    [
      'is reported if it has another amount at the provider',
      { ...returned, amount: '5.01 EUR' },
      refunded,
      true,
      'refund_amount',
    ],
    [
      'is reported if a person created it at the provider',
      { ...returned, refundId: null },
      null,
      true,
      'refund_unknown',
    ],
    [
      'is ignored if a person created it at the provider and it failed',
      { ...failed, refundId: null },
      null,
      true,
      null,
    ],
    ['is ignored if it refunds a payment of another system', { ...returned, refundId: null }, null, false, null],
  ] as const)(
    'in a comparison of our books with the provider’s books, a refund %s',
    (_title, there, here, isOfOurs, kind) => {
      expect(compareRefund(there, here, isOfOurs)?.kind ?? null).toBe(kind)
    },
  )

  it('a refund is reported with our amount and status if the provider does not have it', () => {
    expect(missingRefund(refunded)).toEqual({
      kind: 'refund_not_sent',
      ref: null,
      id: 'refund_1',
      atProvider: null,
      ours: '5.00 EUR, refunded',
    })
  })
})

describe('chargebacks', () => {
  const taken = { ref: 'tr_1/chb_1', paymentRef: 'tr_1', amount: '10.00 EUR', isReversed: false }
  const back = { ...taken, isReversed: true }
  const known = (status: OurChargeback['status']): OurChargeback => ({
    id: 'chargeback_1',
    ref: 'tr_1/chb_1',
    amount: '10.00 EUR',
    status,
  })
  it.each([
    ['has no difference if it is open on both sides', taken, known('open'), true, null],
    ['has no difference if the provider deducted it and it is lost here', taken, known('lost'), true, null],
    ['has no difference if our staff rejected it', taken, known('free'), true, null],
    ['has no difference if it was returned on both sides', back, known('won'), true, null],
    ['has no difference if our staff rejected it and the bank returned it', back, known('free'), true, null],
    ['is reported if it is unknown here', taken, null, true, 'chargeback_unknown'],
    ['is ignored if it was returned at the provider and is unknown here', back, null, true, null],
    ['is ignored if it concerns a payment of another system', taken, null, false, null],
    [
      'is reported if it was returned at the provider and is open here',
      back,
      known('open'),
      true,
      'chargeback_outcome',
    ],
    [
      'is reported if it was returned at the provider and is lost here',
      back,
      known('lost'),
      true,
      'chargeback_outcome',
    ],
    ['is reported if the provider deducted it and it is won here', taken, known('won'), true, 'chargeback_outcome'],
    [
      'is reported if it has another amount at the provider',
      { ...taken, amount: '9.00 EUR' },
      known('open'),
      true,
      'chargeback_amount',
    ],
  ] as const)(
    'in a comparison of our books with the provider’s books, a chargeback %s',
    (_title, there, here, isOfOurs, kind) => {
      expect(compareChargeback(there, here, isOfOurs)?.kind ?? null).toBe(kind)
    },
  )

  it('the report of a chargeback difference states the ids of the chargeback, and its amounts and statuses at the provider and in our books', () => {
    expect(compareChargeback(back, known('lost'), true)).toEqual({
      kind: 'chargeback_outcome',
      ref: 'tr_1/chb_1',
      id: 'chargeback_1',
      atProvider: '10.00 EUR, came back',
      ours: '10.00 EUR, lost',
    })
    expect(missingChargeback(known('open'))).toEqual({
      kind: 'chargeback_not_received',
      ref: 'tr_1/chb_1',
      id: 'chargeback_1',
      atProvider: null,
      ours: '10.00 EUR, open',
    })
  })
})
