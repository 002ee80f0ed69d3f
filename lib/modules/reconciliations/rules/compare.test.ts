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

describe('a payment', () => {
  it.each([
    ['is paid on both sides differs in nothing', booked, ours, null],
    ['is unpaid on both sides differs in nothing', { ...booked, isPaid: false }, unpaid, null],
    ['is not ours is ignored', { ...booked, paymentId: null }, null, null],
    ['was never finished and is unknown here is ignored', { ...booked, isPaid: false }, null, null],
    ['is paid at the provider and unknown here is reported', booked, null, 'payment_unknown'],
    ['is paid at the provider and unpaid here is reported', booked, unpaid, 'payment_not_posted'],
    ['was paid too late and returned differs in nothing', booked, { ...unpaid, isReturned: true }, null],
    ['is paid here and unpaid at the provider is reported', { ...booked, isPaid: false }, ours, 'payment_not_received'],
    [
      'was paid here during the comparison is ignored',
      { ...booked, isPaid: false },
      { ...ours, isSettled: false },
      null,
    ],
    [
      'has an unknown status at the provider is reported',
      { ...booked, isPaid: false, unknownStatus: 'unheard_of' },
      unpaid,
      'payment_status_unknown',
    ],
    ['has another amount is reported', { ...booked, amount: '10.01 EUR' }, ours, 'payment_amount'],
    ['has another currency is reported', { ...booked, amount: '10.00 USD' }, ours, 'payment_amount'],
  ] as const)('a payment that %s', (_title, there, here, kind) => {
    expect(comparePayment(there, here)?.kind ?? null).toBe(kind)
  })

  it('the difference of a payment names its state and id on both sides', () => {
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

describe('a refund', () => {
  it.each([
    ['is complete on both sides differs in nothing', returned, refunded, true, null],
    ['is sent at the provider and here differs in nothing', returned, { ...refunded, status: 'sent' }, true, null],
    ['failed at the provider and is still sent here is ignored', failed, { ...refunded, status: 'sent' }, true, null],
    ['failed on both sides differs in nothing', failed, { ...refunded, status: 'unsent' }, true, null],
    ['failed at the provider and is complete here is reported', failed, refunded, true, 'refund_not_sent'],
    ['failed at the provider during the comparison is ignored', failed, { ...refunded, isSettled: false }, true, null],
    [
      'was sent at the provider and not here is reported',
      returned,
      { ...refunded, status: 'unsent' },
      true,
      'refund_not_posted',
    ],
    ['has another amount is reported', { ...returned, amount: '5.01 EUR' }, refunded, true, 'refund_amount'],
    ['somebody created at the provider is reported', { ...returned, refundId: null }, null, true, 'refund_unknown'],
    ['failed after somebody created it at the provider is ignored', { ...failed, refundId: null }, null, true, null],
    ['belongs to a payment that is not ours is ignored', { ...returned, refundId: null }, null, false, null],
  ] as const)('a refund that %s', (_title, there, here, isOfOurs, kind) => {
    expect(compareRefund(there, here, isOfOurs)?.kind ?? null).toBe(kind)
  })

  it('a refund that the provider never made is reported with our amount and state', () => {
    expect(missingRefund(refunded)).toEqual({
      kind: 'refund_not_sent',
      ref: null,
      id: 'refund_1',
      atProvider: null,
      ours: '5.00 EUR, refunded',
    })
  })
})

describe('a chargeback', () => {
  const taken = { ref: 'tr_1/chb_1', paymentRef: 'tr_1', amount: '10.00 EUR', isReversed: false }
  const back = { ...taken, isReversed: true }
  const known = (status: OurChargeback['status']): OurChargeback => ({
    id: 'chargeback_1',
    ref: 'tr_1/chb_1',
    amount: '10.00 EUR',
    status,
  })
  it.each([
    ['is open on both sides differs in nothing', taken, known('open'), true, null],
    ['is taken at the provider and lost here differs in nothing', taken, known('lost'), true, null],
    ['our staff rejected differs in nothing', taken, known('free'), true, null],
    ['was returned on both sides differs in nothing', back, known('won'), true, null],
    ['staff rejected and the bank returned differs in nothing', back, known('free'), true, null],
    ['is unknown here is reported', taken, null, true, 'chargeback_unknown'],
    ['was returned before we knew it is ignored', back, null, true, null],
    ['is not ours is ignored', taken, null, false, null],
    ['was returned at the provider and is open here is reported', back, known('open'), true, 'chargeback_outcome'],
    ['was returned at the provider and is lost here is reported', back, known('lost'), true, 'chargeback_outcome'],
    ['is taken at the provider and won here is reported', taken, known('won'), true, 'chargeback_outcome'],
    ['has another amount is reported', { ...taken, amount: '9.00 EUR' }, known('open'), true, 'chargeback_amount'],
  ] as const)('a chargeback that %s', (_title, there, here, isOfOurs, kind) => {
    expect(compareChargeback(there, here, isOfOurs)?.kind ?? null).toBe(kind)
  })

  it('the difference of a chargeback names its state and id on both sides', () => {
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
