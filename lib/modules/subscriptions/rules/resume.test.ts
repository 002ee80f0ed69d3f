import { describe, expect, it } from 'vitest'
import { aBetterPlan, aChangeNow, aSubscription, euros, inEachState } from '../examples.ts'
import { cancel, lapse } from './cancel.ts'
import { change } from './change.ts'
import { unpause } from './pause.ts'
import { resume } from './resume.ts'
import { nextRenewalAt, type Subscription } from './subscription.ts'

const at = (text: string) => new Date(`${text}T00:00:00Z`)
const now = at('2025-06-20')
const notResumable = expect.objectContaining({ code: 'subscription_not_resumable', status: 422 })

function canceled(subscription: Subscription, immediately = false): Subscription {
  const cancellation = cancel(subscription, { immediately, reason: 'merchant_request', now })
  if (!cancellation) throw new Error('it was canceled before')
  return cancellation.next
}

describe('resuming a canceled subscription', () => {
  it.each(['active', 'trial'] as const)(
    'a resumed subscription has the status %s again and renews as if it had not been canceled',
    (status) => {
      const before = inEachState[status]
      const next = resume(canceled(before), now)
      expect(next).toEqual(before)
      expect(nextRenewalAt(next)).toEqual(before.renewedUntil)
    },
  )

  it('a subscription that was canceled during a pause is paused again when it is resumed', () => {
    const next = resume(canceled(inEachState.paused), now)
    expect(next).toEqual(inEachState.paused)
    expect(nextRenewalAt(next)).toBeNull()
    expect(unpause(next, now)).toEqual(unpause(inEachState.paused, now))
    expect(unpause(next, at('2025-09-01'))).toEqual(unpause(inEachState.paused, at('2025-09-01')))
    expect(resume(canceled(next), now)).toEqual(inEachState.paused)
    expect(() => resume(canceled(inEachState.paused), at('2025-07-01'))).toThrow(notResumable)
  })

  it('a resumed subscription has no scheduled update and no deferred proration lines', () => {
    const { next: before } = change(aSubscription(), aChangeNow({ plan: aBetterPlan() }), at('2025-06-16'))
    expect(before.parked).toHaveLength(2)
    const scheduledUpdate = { plan: null, price: null, quantity: 5, anchor: null, prorate: true }
    expect(resume(canceled({ ...before, scheduledUpdate }), now)).toMatchObject({ scheduledUpdate: null, parked: [] })
  })

  it('a change after a resumption gives no credit for a charge that the cancellation removed', () => {
    const { next: upgraded } = change(aSubscription(), aChangeNow({ plan: aBetterPlan() }), at('2025-06-16'))
    const resumed = resume(canceled(upgraded), now)
    const { lines } = change(resumed, aChangeNow({ quantity: 2, invoiceImmediately: true }), at('2025-06-21'))
    // The credit is 33.33, because 100.00 was paid for 30 days and 10 days remain.
    expect(lines).toMatchObject([
      { kind: 'unused', amount: -3_333n },
      { kind: 'remaining', amount: 20_000n },
    ])
  })

  it.each([
    // 30.00 was paid for 31 days and 11 days remain, so the exact credit is 10.65. The credit here is 10.64, because
    // the waived lines are rounded.
    ['extended', '2025-02-10', 3, -1_064n],
    ['shortened', '2025-01-26', 9, -1_064n],
    ['unchanged', null, 3, -1_064n],
  ])(
    'if the period was %s before a cancellation, a change after the resumption credits only the paid amount',
    (_, anchor, quantity, credit) => {
      const scheduled = [
        { day: '2025-01-11', request: aChangeNow({ quantity: 2 }) },
        { day: '2025-01-21', request: aChangeNow({ quantity: quantity - 1, ...(anchor && { anchor: at(anchor) }) }) },
      ]
      const before = aSubscription({ anchorAt: at('2025-01-01'), price: euros(3_000n) })
      const changed = scheduled.reduce((each, { day, request }) => change(each, request, at(day)).next, before)
      const cancellation = cancel(changed, { immediately: false, reason: 'merchant_request', now: at('2025-01-21') })
      if (!cancellation) throw new Error('it was canceled before')
      const resumed = resume(cancellation.next, at('2025-01-21'))
      const { lines } = change(resumed, aChangeNow({ quantity, invoiceImmediately: true }), at('2025-01-21'))
      expect(lines[0]).toMatchObject({ kind: 'unused', amount: credit })
    },
  )

  it('a resumption after the end of the grace period is refused', () => {
    const grace = canceled(aSubscription())
    expect(resume(grace, at('2025-06-30')).status).toBe('active')
    expect(() => resume(grace, at('2025-07-01'))).toThrow(notResumable)
    expect(() => resume(lapse(grace, at('2025-07-01')), at('2025-07-01'))).toThrow(notResumable)
  })

  it('a resumption after an immediate cancellation is refused, even within the paid period', () => {
    expect(() => resume(canceled(aSubscription(), true), now)).toThrow(notResumable)
  })

  it.each(['created', 'trial', 'active', 'paused', 'canceled'] as const)(
    'a resumption of a subscription in status %s is refused',
    (status) => {
      expect(() => resume(inEachState[status], now)).toThrow(notResumable)
    },
  )
})
