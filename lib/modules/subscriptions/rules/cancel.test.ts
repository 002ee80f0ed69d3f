import { describe, expect, it } from 'vitest'
import { aSubscription, inEachState } from '../examples.ts'
import { cancel, cancelNow, lapse } from './cancel.ts'
import type { ProrationLine, ScheduledUpdate, Subscription } from './subscription.ts'
import { nextRenewalAt } from './subscription.ts'

const now = new Date('2025-06-20T12:00:00Z')
const paidUntil = new Date('2025-07-01T00:00:00Z')
const scheduledUpdate: ScheduledUpdate = { plan: null, price: null, quantity: 5, anchor: null, prorate: true }
const parked: ProrationLine[] = [
  { kind: 'remaining', name: 'Basic', quantity: 1, from: now, until: paidUntil, amount: 500n },
]
const ahead = { scheduledUpdate, parked }
/**
 * Deducts 14.29 from the paid amount of 100.00, which gives 85.71. The waived line charges 5.00 for 10.5 of 30 days,
 * which equals 14.29 for a full period.
 */
const unparked = ({ period }: Subscription) => period && { ...period, paid: 8_571n }
const atEnd = (subscription: Subscription) =>
  cancel(subscription, { immediately: false, reason: 'merchant_request', now })
const atOnce = (subscription: Subscription) =>
  cancel(subscription, { immediately: true, reason: 'merchant_request', now })
const notCancelable = expect.objectContaining({ code: 'subscription_not_cancelable', status: 422 })

describe('a cancellation at the end of the paid period', () => {
  it.each(['active', 'trial', 'paused'] as const)(
    'after a cancellation at the end of the period, a subscription that had the status %s continues until the end of the period',
    (status) => {
      const before = { ...inEachState[status], ...ahead }
      const canceled = atEnd(before)
      expect(canceled).toEqual({
        event: 'subscription.canceled_with_grace_period',
        next: {
          ...before,
          status: 'on_grace_period',
          resumesTo: status,
          canceledAt: now,
          cancellationReason: 'merchant_request',
          scheduledUpdate: null,
          parked: [],
          period: unparked(before),
        },
      })
      expect(canceled && nextRenewalAt(canceled.next)).toBeNull()
    },
  )

  it('a cancellation reduces the paid amount to zero if the deferred amount exceeds the paid amount', () => {
    const { period, ...active } = inEachState.active
    const little = { ...active, parked, period: period && { ...period, paid: 1_000n } }
    expect(atEnd(little)?.next.period?.paid).toBe(0n)
  })

  it('in a grace period, another cancellation at the end of the period changes nothing', () => {
    expect(atEnd(inEachState.on_grace_period)).toBeNull()
  })

  it.each(['active', 'trial', 'paused'] as const)(
    'a cancellation for the end of the period ends a subscription in status %s immediately if no paid time is left',
    (status) => {
      const overdue = { immediately: false, reason: 'merchant_request', now: paidUntil } as const
      const before = { ...inEachState[status], renewedUntil: paidUntil }
      expect(cancel(before, overdue)).toMatchObject({
        event: 'subscription.canceled_immediately',
        next: { status: 'canceled', endedAt: paidUntil, canceledAt: paidUntil },
      })
    },
  )

  it('a cancellation records who requested it', () => {
    const canceled = cancel(aSubscription(), { immediately: false, reason: 'customer_request', now })
    expect(canceled?.next.cancellationReason).toBe('customer_request')
  })
})

describe('an immediate cancellation', () => {
  it.each(['active', 'trial', 'paused'] as const)(
    'an immediate cancellation ends a subscription in status %s now',
    (status) => {
      const before = { ...inEachState[status], ...ahead }
      expect(atOnce(before)).toEqual({
        event: 'subscription.canceled_immediately',
        next: {
          ...before,
          status: 'canceled',
          canceledAt: now,
          endedAt: now,
          cancellationReason: 'merchant_request',
          trialUntil: null,
          scheduledUpdate: null,
          parked: [],
          period: unparked(before),
        },
      })
    },
  )

  it('an immediate cancellation ends a grace period and preserves the time of the first cancellation', () => {
    const before = { ...inEachState.on_grace_period, parked }
    expect(atOnce(before)?.next).toMatchObject({
      status: 'canceled',
      canceledAt: before.canceledAt,
      endedAt: now,
      cancellationReason: 'merchant_request',
      parked: [],
    })
  })
})

it.each(['created', 'canceled'] as const)(
  'every kind of cancellation is refused for a subscription in status %s',
  (status) => {
    expect(() => atEnd(inEachState[status])).toThrow(notCancelable)
    expect(() => atOnce(inEachState[status])).toThrow(notCancelable)
    expect(() => cancelNow(inEachState[status], { reason: 'payment_failure', now })).toThrow(notCancelable)
  },
)

it('a cancellation because of a permanently failed payment takes effect immediately', () => {
  expect(cancelNow({ ...aSubscription(), ...ahead }, { reason: 'payment_failure', now })).toMatchObject({
    status: 'canceled',
    cancellationReason: 'payment_failure',
    canceledAt: now,
    endedAt: now,
    scheduledUpdate: null,
    parked: [],
  })
})

describe('the end of a grace period', () => {
  it('the end of a grace period ends the subscription and preserves the cancellation reason and time', () => {
    const before = { ...inEachState.on_grace_period, parked }
    const nothing = { resumesTo: null, parked: [], period: unparked(before) }
    expect(lapse(before, paidUntil)).toEqual({ ...before, ...nothing, status: 'canceled', endedAt: paidUntil })
  })

  it('if a subscription was canceled in its trial, the end of the grace period sets trialUntil to null', () => {
    const { trialUntil } = inEachState.trial
    const ended = lapse({ ...inEachState.on_grace_period, trialUntil }, paidUntil)
    expect(ended).toMatchObject({ status: 'canceled', trialUntil: null })
  })

  it.each(['created', 'trial', 'active', 'paused', 'canceled'] as const)(
    'the end of a grace period is refused for a subscription in status %s',
    (status) => {
      expect(() => lapse(inEachState[status], paidUntil)).toThrow(`no transition 'lapse' from '${status}'`)
    },
  )
})
