import { describe, expect, it } from 'vitest'
import { aBetterPlan, aSubscription, euros, inEachState } from '../examples.ts'
import { pause, unpause } from './pause.ts'
import { renew } from './renew.ts'
import { nextRenewalAt, type ProrationLine, type ScheduledUpdate } from './subscription.ts'

const at = (text: string) => new Date(text.length === 10 ? `${text}T00:00:00Z` : text)
const line = { kind: 'period', name: 'Basic', unitPrice: 10_000n, quantity: 1 }
const parked: ProrationLine[] = [
  { kind: 'remaining', name: 'Basic', quantity: 1, from: at('2025-06-16'), until: at('2025-07-01'), amount: 500n },
]
const scheduled = (differences: Partial<ScheduledUpdate>): ScheduledUpdate => ({
  plan: null,
  price: null,
  quantity: null,
  anchor: null,
  prorate: true,
  ...differences,
})

describe('a pause', () => {
  it('a pause stops the renewals and changes nothing else', () => {
    const before = aSubscription({ scheduledUpdate: scheduled({ quantity: 5 }) })
    const paused = pause(before)
    expect(paused).toEqual({ ...before, status: 'paused' })
    expect(nextRenewalAt(paused)).toBeNull()
    expect(() => renew(paused, { due: at('2025-07-01'), now: at('2025-07-01') })).toThrow(
      "no transition 'renew' from 'paused'",
    )
  })

  it.each(['created', 'trial', 'on_grace_period', 'paused', 'canceled'] as const)(
    'a pause of a subscription in status %s is refused',
    (status) => {
      expect(() => pause(inEachState[status])).toThrow(expect.objectContaining({ code: 'subscription_not_pausable' }))
    },
  )
})

describe('the end of a pause', () => {
  it('ending a pause within the paid period continues the cycle and charges nothing', () => {
    const before = aSubscription()
    expect(unpause(pause(before), at('2025-06-30T23:59:59Z'))).toEqual({ next: before, lines: [] })
  })

  it.each(['2025-07-01T00:00:00Z', '2025-09-20T05:06:07Z'])(
    'ending a pause after the paid period, at %s, begins and charges a new period',
    (moment) => {
      const { next, lines } = unpause(pause(aSubscription()), at(moment))
      expect(lines).toEqual([line])
      expect(next).toMatchObject({ status: 'active', anchorAt: at(moment), cycleNumber: 0, renewedAt: at(moment) })
      expect(next.period).toMatchObject({ startAt: at(moment), endAt: next.renewedUntil, paid: 10_000n })
      expect(next.renewedUntil?.getUTCMonth()).toBe(at(moment).getUTCMonth() + 1)
    },
  )

  it('ending a pause with a new period bills the deferred proration lines and applies the scheduled update', () => {
    const plan = aBetterPlan({ price: euros(100_000n), billingInterval: { interval: 'year', intervalCount: 1 } })
    const before = pause(aSubscription({ parked, scheduledUpdate: scheduled({ plan, quantity: 2 }) }))
    const { next, lines } = unpause(before, at('2025-08-01'))
    expect(lines).toEqual([{ kind: 'period', name: 'Pro', unitPrice: 100_000n, quantity: 2 }, ...parked])
    expect(next).toMatchObject({ parked: [], scheduledUpdate: null, renewedUntil: at('2026-08-01'), quantity: 2 })
  })

  it('ending a pause within the paid period leaves deferred proration lines and the scheduled update to the renewal', () => {
    const before = aSubscription({ parked, scheduledUpdate: scheduled({ quantity: 2 }) })
    expect(unpause(pause(before), at('2025-06-20'))).toEqual({ next: before, lines: [] })
    const { lines } = renew(before, { due: at('2025-07-01'), now: at('2025-07-01') })
    expect(lines).toEqual([{ ...line, quantity: 2 }, ...parked])
  })

  it('ending a pause with a new period applies the scheduled anchor', () => {
    const before = pause(aSubscription({ scheduledUpdate: scheduled({ quantity: 2, anchor: at('2025-07-11') }) }))
    const { next, lines } = unpause(before, at('2025-07-06'))
    expect(next).toMatchObject({ anchorAt: at('2025-07-11'), renewedUntil: at('2025-07-11'), scheduledUpdate: null })
    // The charge is for five of the 31 days from 6 July.
    expect(lines).toMatchObject([{ kind: 'remaining', until: at('2025-07-11'), amount: 3_226n }])
  })

  it.each(['created', 'trial', 'active', 'on_grace_period', 'canceled'] as const)(
    'a subscription in status %s cannot end a pause',
    (status) => {
      expect(() => unpause(inEachState[status], at('2025-06-20'))).toThrow(
        expect.objectContaining({ code: 'subscription_not_paused' }),
      )
    },
  )
})
