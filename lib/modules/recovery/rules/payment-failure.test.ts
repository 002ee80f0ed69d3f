import { expect, it } from 'vitest'
import type { FailureReason } from '../../payments/rules/failure.ts'
import { finalFailure, openRecovery, paymentFailure } from './payment-failure.ts'
import { attempted, attemptFailed, attemptWithdrawn, disproved, open, type Recovery, stepDone } from './recovery.ts'

const begin = new Date('2025-06-01T08:00:00Z')
const on = (days: number) => new Date(begin.getTime() + days * 86_400_000)
const failed = (reason: FailureReason, subscriptionId: string | null = 'subscription_1'): Recovery =>
  stepDone(
    open({
      id: 'recovery_1',
      subscriptionId,
      orderId: 'order_1',
      collects: subscriptionId === null ? 'sale' : 'renewal',
      reason,
      simulated: false,
      now: begin,
    }),
    begin,
  )
const soft = failed('insufficient_funds')

it.each([
  ['a soft decline is charged again after two days', soft, 'insufficient_funds', 'soft', 0, 2, 21],
  [
    'a hard decline is not charged again and ends after seven days',
    failed('card_expired'),
    'card_expired',
    'hard',
    0,
    null,
    7,
  ],
  [
    'a recovery with a charge in progress has no next attempt and no end',
    attempted(soft),
    'insufficient_funds',
    'soft',
    0,
    null,
    null,
  ],
  [
    'a second failure moves the next attempt to day 7',
    attemptFailed(attempted(soft), 'temporary_decline', on(2)),
    'temporary_decline',
    'soft',
    2,
    7,
    21,
  ],
  [
    'a retry with a hard decline ends the charges',
    attemptFailed(attempted(soft), 'card_expired', on(2)),
    'card_expired',
    'hard',
    2,
    null,
    9,
  ],
  [
    'a failed charge of another method leaves the schedule unchanged',
    attemptFailed(soft, 'general_failure', on(1)),
    'general_failure',
    'soft',
    1,
    2,
    21,
  ],
  [
    'a withdrawn attempt moves the next attempt to day 7',
    attemptWithdrawn(attempted(soft), on(2)),
    'insufficient_funds',
    'soft',
    0,
    7,
    21,
  ],
  [
    'a method that works after all is charged again',
    disproved(failed('account_closed'), on(4)),
    'account_closed',
    'hard',
    0,
    6,
    25,
  ],
  [
    'a purchase is not charged again without the buyer',
    failed('insufficient_funds', null),
    'insufficient_funds',
    'soft',
    0,
    null,
    21,
  ],
] as const)(
  'a recovery states its last failure, its next charge, and its end: %s',
  (_, recovery, failureReason, declineType, failedOn, nextOn, endsOn) => {
    if (!recovery) throw new Error('the recovery has ended')
    const failure = {
      failureReason,
      declineType,
      failedAt: on(failedOn),
      nextAttemptAt: nextOn === null ? null : on(nextOn),
    }
    expect(paymentFailure(recovery)).toEqual(failure)
    const amountDue = { minor: 3630n, currency: 'EUR' } as const
    expect(openRecovery(recovery, { amountDue, isSimulated: false })).toEqual({
      ...failure,
      orderId: 'order_1',
      amountDue,
      endsAt: endsOn === null ? null : on(endsOn),
      waitsFor: null,
    })
  },
)

it('a recovery states that it waits for simulate-payment if this test helper sets the outcome of the charge in progress', () => {
  const amountDue = { minor: 3630n, currency: 'EUR' } as const
  expect(openRecovery(attempted(soft), { amountDue, isSimulated: true }).waitsFor).toBe('simulate-payment')
})

it('if an order is not charged again, its payment failure has a reason and no next attempt', () => {
  expect(finalFailure('account_closed', on(3))).toEqual({
    failureReason: 'account_closed',
    declineType: 'hard',
    failedAt: on(3),
    nextAttemptAt: null,
  })
})
