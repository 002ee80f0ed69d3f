import { describe, expect, it } from 'vitest'
import { aSubscription, inEachState } from '../examples.ts'
import { abandon, start, waitingFor } from './start.ts'
import { nextRenewalAt, type Subscription } from './subscription.ts'

const now = new Date('2027-01-31T12:00:00Z')
const trialUntil = new Date('2027-02-14T12:00:00Z')
const { mandate } = aSubscription()
const created = (differences: Partial<Subscription> = {}) => ({ ...inEachState.created, ...differences })
const noTransition = /^no transition '(start|startTrial|abandon)' from/

describe('a subscription', () => {
  it.each([
    ['day', 1, '2027-02-01T12:00:00Z'],
    ['week', 2, '2027-02-14T12:00:00Z'],
    ['month', 1, '2027-02-28T12:00:00Z'],
    ['year', 1, '2028-01-31T12:00:00Z'],
  ] as const)(
    'a subscription with the billing interval %s × %i that starts on 31 January is paid until %s',
    (interval, intervalCount, end) => {
      const next = start(created({ billingInterval: { interval, intervalCount }, quantity: 3 }), {
        now,
        trialUntil: null,
        mandate,
      })
      expect(next).toMatchObject({
        status: 'active',
        startedAt: now,
        anchorAt: now,
        cycleNumber: 0,
        period: { startAt: now, endAt: new Date(end), paid: 30_000n },
        renewedAt: null,
        trialUntil: null,
        mandate,
      })
      expect(next.renewedUntil).toEqual(new Date(end))
      expect(nextRenewalAt(next)).toEqual(new Date(end))
    },
  )

  it('a subscription with a trial is renewed at the end of the trial, which is the anchor of later periods', () => {
    const next = start(created(), { now, trialUntil, mandate })
    expect(next).toMatchObject({ status: 'trial', startedAt: now, trialUntil, ...waitingFor(trialUntil), period: null })
    expect(next).toMatchObject({ anchorAt: trialUntil, renewedUntil: trialUntil, renewedAt: null })
    expect(nextRenewalAt(next)).toEqual(trialUntil)
  })

  it('a subscription can start without a payment method', () => {
    expect(start(created(), { now, trialUntil: null, mandate: null })).toMatchObject({
      status: 'active',
      mandate: null,
    })
  })

  it.each(['active', 'on_grace_period', 'paused', 'canceled'] as const)(
    'a subscription in status %s cannot start',
    (status) => {
      expect(() => start(inEachState[status], { now, trialUntil: null, mandate })).toThrow(noTransition)
    },
  )

  it('a subscription cannot start after its first payment failed permanently', () => {
    expect(() => start(abandon(created(), now), { now, trialUntil: null, mandate })).toThrow(noTransition)
  })

  it('abandon() cancels a subscription that was never paid', () => {
    expect(abandon(created(), now)).toEqual({ ...created(), status: 'canceled', endedAt: now })
  })

  it.each(['trial', 'active', 'on_grace_period', 'paused', 'canceled'] as const)(
    'abandon() refuses a subscription in status %s',
    (status) => {
      expect(() => abandon(inEachState[status], now)).toThrow(noTransition)
    },
  )
})
