import { describe, expect, test } from 'vitest'
import { orderDefaults, type ShownOrder } from './order.ts'
import { orderState } from './shown-state.ts'

const at = new Date('2026-11-29T00:00:00Z')
const failure = { failureReason: 'insufficient_funds', declineType: 'soft', failedAt: at, nextAttemptAt: at } as const
const order = (more: Partial<ShownOrder>): ShownOrder => ({
  ...orderDefaults,
  id: 'order_1',
  testmode: false,
  subscriptionId: null,
  customerId: null,
  paymentMethod: 'creditcard',
  currency: 'EUR',
  subtotal: 1000n,
  total: 1210n,
  refundingSubtotal: 0n,
  taxSummary: [],
  customerDetails: { email: null } as ShownOrder['customerDetails'],
  metadata: null,
  createdAt: at,
  lines: [],
  paymentFailure: null,
  ...more,
})

describe('the displayed state of an order', () => {
  test.each<[string, Partial<ShownOrder>, boolean, string]>([
    ['a paid order as paid', { status: 'paid' }, false, 'paid'],
    ['an order that waits for its payment as pending', { status: 'pending' }, false, 'pending'],
    ['an order with a failed payment as past due', { status: 'pending', paymentFailure: failure }, false, 'past_due'],
    ['an order that was written off as canceled', { status: 'canceled' }, false, 'canceled'],
    [
      'an order with a partial refund as partially refunded',
      { status: 'paid', reversedSubtotal: 400n },
      false,
      'partially_refunded',
    ],
    ['a fully refunded order as refunded', { status: 'paid', reversedSubtotal: 1000n }, false, 'refunded'],
    ['an order with an unfinished refund as paid', { status: 'paid', refundingSubtotal: 1000n }, false, 'paid'],
    ['an order with an undecided dispute as disputed', { status: 'paid', reversedSubtotal: 1000n }, true, 'disputed'],
    ['a credit note as a credit note', { status: 'paid', creditedOrderId: 'order_2' }, false, 'credit_note'],
    ['a replacement invoice as a replacement', { status: 'paid', replacesOrderId: 'order_2' }, false, 'replacement'],
  ])('the admin area shows the state of an order: %s', (_, more, isDisputed, expected) => {
    expect(orderState(order(more), isDisputed)).toBe(expected)
  })
})
