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

const theirs = { ref: 'tr_1', paymentId: 'payment_1', storefrontId: 'storefront_1', amount: '10.00 EUR', isPaid: true }
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
    ['is paid on both sides', theirs, ours, null],
    ['is paid on neither', { ...theirs, isPaid: false }, unpaid, null],
    ['is somebody else’s', { ...theirs, paymentId: null }, null, null],
    ['was never finished, and is unknown here', { ...theirs, isPaid: false }, null, null],
    ['is paid there and unknown here', theirs, null, 'payment_unknown'],
    ['is paid there and not here', theirs, unpaid, 'payment_not_posted'],
    ['was paid too late, and the money went back', theirs, { ...unpaid, isReturned: true }, null],
    ['is paid here and not there', { ...theirs, isPaid: false }, ours, 'payment_not_received'],
    ['was paid here while they were asked', { ...theirs, isPaid: false }, { ...ours, isSettled: false }, null],
    [
      'has a status there that we do not know',
      { ...theirs, isPaid: false, unknownStatus: 'unheard_of' },
      unpaid,
      'payment_status_unknown',
    ],
    ['is over another amount', { ...theirs, amount: '10.01 EUR' }, ours, 'payment_amount'],
    ['is in another currency', { ...theirs, amount: '10.00 USD' }, ours, 'payment_amount'],
  ] as const)('that %s', (_title, there, here, kind) => {
    expect(comparePayment(there, here)?.kind ?? null).toBe(kind)
  })

  it('is described on both sides, by their ids', () => {
    const difference = { kind: 'payment_not_posted', ref: 'tr_1', id: 'payment_1' }
    expect(comparePayment(theirs, unpaid)).toEqual({
      ...difference,
      theirs: '10.00 EUR, paid',
      ours: '10.00 EUR, not paid',
    })
    const there = { ...theirs, isPaid: false, unknownStatus: 'unheard_of' }
    expect(comparePayment(there, unpaid)).toMatchObject({
      theirs: '10.00 EUR, unheard_of',
      ours: '10.00 EUR, not paid',
    })
    expect(missingPayment(ours)).toEqual({
      ...difference,
      kind: 'payment_not_received',
      theirs: null,
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
    ['has arrived', returned, refunded, true, null],
    ['is on its way', returned, { ...refunded, status: 'sent' }, true, null],
    ['has failed, and that is not known here yet', failed, { ...refunded, status: 'sent' }, true, null],
    ['has failed on both sides', failed, { ...refunded, status: 'unsent' }, true, null],
    ['failed there, and has arrived here', failed, refunded, true, 'refund_not_sent'],
    ['failed there while it was being asked about', failed, { ...refunded, isSettled: false }, true, null],
    ['was sent there, and not here', returned, { ...refunded, status: 'unsent' }, true, 'refund_not_posted'],
    ['is over another amount', { ...returned, amount: '5.01 EUR' }, refunded, true, 'refund_amount'],
    ['somebody made at the provider', { ...returned, refundId: null }, null, true, 'refund_unknown'],
    ['somebody tried to make at the provider', { ...failed, refundId: null }, null, true, null],
    ['is of a payment that is not ours', { ...returned, refundId: null }, null, false, null],
  ] as const)('that %s', (_title, there, here, isOfOurs, kind) => {
    expect(compareRefund(there, here, isOfOurs)?.kind ?? null).toBe(kind)
  })

  it('that the provider never made', () => {
    expect(missingRefund(refunded)).toEqual({
      kind: 'refund_not_sent',
      ref: null,
      id: 'refund_1',
      theirs: null,
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
    ['is open on both sides', taken, known('open'), true, null],
    ['is lost here', taken, known('lost'), true, null],
    ['was rejected by our staff', taken, known('free'), true, null],
    ['came back on both sides', back, known('won'), true, null],
    ['came back for one that staff rejected', back, known('free'), true, null],
    ['is unknown here', taken, null, true, 'chargeback_unknown'],
    ['came back before we knew of it', back, null, true, null],
    ['is somebody else’s', taken, null, false, null],
    ['came back there and is open here', back, known('open'), true, 'chargeback_outcome'],
    ['came back there and is lost here', back, known('lost'), true, 'chargeback_outcome'],
    ['was won here and taken there', taken, known('won'), true, 'chargeback_outcome'],
    ['is over another amount', { ...taken, amount: '9.00 EUR' }, known('open'), true, 'chargeback_amount'],
  ] as const)('that %s', (_title, there, here, isOfOurs, kind) => {
    expect(compareChargeback(there, here, isOfOurs)?.kind ?? null).toBe(kind)
  })

  it('is described on both sides, by their ids', () => {
    expect(compareChargeback(back, known('lost'), true)).toEqual({
      kind: 'chargeback_outcome',
      ref: 'tr_1/chb_1',
      id: 'chargeback_1',
      theirs: '10.00 EUR, came back',
      ours: '10.00 EUR, lost',
    })
    expect(missingChargeback(known('open'))).toEqual({
      kind: 'chargeback_not_received',
      ref: 'tr_1/chb_1',
      id: 'chargeback_1',
      theirs: null,
      ours: '10.00 EUR, open',
    })
  })
})
