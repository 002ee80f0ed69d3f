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
    'resuming restores the status %s, and the subscription renews as without the cancellation',
    (status) => {
      const before = inEachState[status]
      const next = resume(canceled(before), now)
      expect(next).toEqual(before)
      expect(nextRenewalAt(next)).toEqual(before.renewedUntil)
    },
  )

  it('resuming a paused subscription leaves it paused, and it unpauses as without the cancellation', () => {
    const next = resume(canceled(inEachState.paused), now)
    expect(next).toEqual(inEachState.paused)
    expect(nextRenewalAt(next)).toBeNull()
    expect(unpause(next, now)).toEqual(unpause(inEachState.paused, now))
    expect(unpause(next, at('2025-09-01'))).toEqual(unpause(inEachState.paused, at('2025-09-01')))
    expect(resume(canceled(next), now)).toEqual(inEachState.paused)
    expect(() => resume(canceled(inEachState.paused), at('2025-07-01'))).toThrow(notResumable)
  })

  it('resuming does not restore scheduled updates or parked lines', () => {
    const { next: before } = change(aSubscription(), aChangeNow({ plan: aBetterPlan() }), at('2025-06-16'))
    expect(before.parked).toHaveLength(2)
    const scheduledUpdate = { plan: null, price: null, quantity: 5, anchor: null, prorate: true }
    expect(resume(canceled({ ...before, scheduledUpdate }), now)).toMatchObject({ scheduledUpdate: null, parked: [] })
  })

  // A parked amount counts as paid because it will be billed. Once waived, it no longer counts.
  it('after resuming, a waived amount gives no credit', () => {
    const { next: upgraded } = change(aSubscription(), aChangeNow({ plan: aBetterPlan() }), at('2025-06-16'))
    const resumed = resume(canceled(upgraded), now)
    const { lines } = change(resumed, aChangeNow({ quantity: 2, invoiceImmediately: true }), at('2025-06-21'))
    // Ten of thirty days, for which 100.00 were paid.
    expect(lines).toMatchObject([
      { kind: 'unused', amount: -3_333n },
      { kind: 'remaining', amount: 20_000n },
    ])
  })

  it.each([
    // On the 21st, 11 of 31 days are left. 30.00 were paid for them; the waived lines were rounded up by a cent.
    ['extended', '2025-02-10', 3, -1_064n],
    ['shortened', '2025-01-26', 9, -1_064n],
    ['kept', null, 3, -1_064n],
  ])('resuming keeps the paid amount if waived changes %s the period', (_, anchor, quantity, credit) => {
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
  })

  it('resuming after the end of the grace period is refused', () => {
    const grace = canceled(aSubscription())
    expect(resume(grace, at('2025-06-30')).status).toBe('active')
    expect(() => resume(grace, at('2025-07-01'))).toThrow(notResumable)
    expect(() => resume(lapse(grace, at('2025-07-01')), at('2025-07-01'))).toThrow(notResumable)
  })

  it('resuming after an immediate cancellation is refused, even within the paid period', () => {
    expect(() => resume(canceled(aSubscription(), true), now)).toThrow(notResumable)
  })

  it.each(['created', 'trial', 'active', 'paused', 'canceled'] as const)(
    'resuming a subscription that is %s is refused',
    (status) => {
      expect(() => resume(inEachState[status], now)).toThrow(notResumable)
    },
  )
})
