import { describe, expect, it } from 'vitest'
import { aBetterPlan, aChange, aChangeNow, aPlan, aSubscription, euros, inEachState } from '../examples.ts'
import { change } from './change.ts'
import type { Change } from './change-request.ts'
import { scheduleChange } from './schedule-change.ts'
import { type ScheduledUpdate, type Subscription, scheduledTerms } from './subscription.ts'

const at = (text: string) => new Date(`${text}T00:00:00Z`)
const yearly = aBetterPlan({ price: euros(100_000n), billingInterval: { interval: 'year', intervalCount: 1 } })
const scheduled = ['subscription.update_scheduled']

const scheduledAfter = (subscription: Subscription, ...changes: Partial<Change>[]) =>
  changes.reduce((before, asked) => scheduleChange(before, aChange(asked)).next, subscription)

function ahead(subscription: Subscription) {
  if (!subscription.scheduledUpdate) throw new Error('nothing is scheduled')
  const { planId, price, quantity, billingInterval } = scheduledTerms(subscription, subscription.scheduledUpdate)
  return { planId, price: price.minor, quantity, interval: billingInterval.interval }
}

describe('a scheduled change', () => {
  it('a scheduled change has no effect and no charge until the renewal', () => {
    const before = aSubscription()
    const { next, ...rest } = scheduleChange(before, aChange({ plan: yearly, quantity: 4 }))
    const scheduledUpdate: ScheduledUpdate = { plan: yearly, price: null, quantity: 4, anchor: null, prorate: true }
    expect(next).toEqual({ ...before, scheduledUpdate })
    expect(rest).toEqual({ events: scheduled, lines: [], period: null })
    expect(ahead(next)).toEqual({ planId: yearly.planId, price: 100_000n, quantity: 4, interval: 'year' })
  })

  it.each([
    ['another plan', { plan: aBetterPlan() }],
    ['another price', { price: euros(1n) }],
    ['another quantity', { quantity: 2 }],
    ['a day as the anchor', { quantity: 1, anchor: at('2025-07-11') }],
    ['the renewal as the anchor', { quantity: 1, resetAnchor: true }],
  ])('a repeated scheduled change to %s emits no second event', (_, asked) => {
    // With an anchor on 31 January, the subscription renews on 28 February.
    const first = scheduleChange(aSubscription({ anchorAt: at('2025-01-31') }), aChange(asked))
    expect(first.events).toEqual(scheduled)
    expect(scheduleChange(first.next, aChange(structuredClone(asked)))).toEqual({
      next: first.next,
      events: [],
      lines: [],
      period: null,
    })
  })

  it.each([
    ['the current plan', { plan: aPlan() }],
    ['the current price', { price: euros(10_000n) }],
    ['the current quantity', { quantity: 1 }],
    ['the end of the period as the anchor', { quantity: 1, anchor: at('2025-07-01') }],
    ['the renewal as the anchor if the renewal is on the day of the anchor', { quantity: 1, resetAnchor: true }],
  ])('a scheduled change to %s changes nothing', (_, asked) => {
    const before = aSubscription()
    expect(scheduleChange(before, aChange(asked))).toEqual({ next: before, events: [], lines: [], period: null })
  })

  it('a scheduled change copies the plan, so a later price of the plan has no effect', () => {
    const plan = aBetterPlan()
    const { next } = scheduleChange(aSubscription(), aChange({ plan }))
    expect(next.scheduledUpdate?.plan).toEqual(plan)
    const dearer = aBetterPlan({ price: euros(35_000n) })
    expect(ahead(scheduledAfter(next, { quantity: 2 })).price).toBe(30_000n)
    expect(ahead(scheduledAfter(next, { plan: dearer })).price).toBe(35_000n)
  })

  it('a scheduled change without a plan preserves a custom price', () => {
    expect(ahead(scheduledAfter(aSubscription({ price: euros(4_200n) }), { quantity: 2 })).price).toBe(4_200n)
    expect(ahead(scheduledAfter(aSubscription({ price: euros(4_200n) }), { plan: aBetterPlan() })).price).toBe(30_000n)
  })
})

describe('a second scheduled change', () => {
  const better = aBetterPlan().planId
  it.each([
    ['adds a field to the first change', [{ plan: aBetterPlan() }, { quantity: 3 }], [better, 30_000n, 3]],
    ['adds a price to the first change', [{ quantity: 3 }, { price: euros(9_000n) }], [aPlan().planId, 9_000n, 3]],
    [
      'replaces a field of the first change',
      [{ quantity: 3, price: euros(9_000n) }, { quantity: 4 }],
      [aPlan().planId, 9_000n, 4],
    ],
    ['uses the price of its plan', [{ price: euros(9_000n) }, { plan: aBetterPlan() }], [better, 30_000n, 1]],
    [
      'uses the price of its plan even if the first change set the same plan',
      [{ plan: aBetterPlan(), price: euros(9_000n) }, { plan: aBetterPlan() }],
      [better, 30_000n, 1],
    ],
    [
      'preserves the price that was scheduled with the plan if it sets no plan',
      [{ plan: aBetterPlan(), price: euros(9_000n) }, { quantity: 2 }],
      [better, 9_000n, 2],
    ],
    [
      'uses the current price if it sets the current plan',
      [{ price: euros(9_000n), quantity: 3 }, { plan: aPlan() }],
      [aPlan().planId, 10_000n, 3],
    ],
    [
      'uses its own price with its plan',
      [{ price: euros(9_000n) }, { plan: aBetterPlan(), price: euros(8_000n) }],
      [better, 8_000n, 1],
    ],
    [
      'preserves the scheduled plan if it sets a price',
      [{ plan: aBetterPlan() }, { price: euros(8_000n) }],
      [better, 8_000n, 1],
    ],
  ] as [string, Partial<Change>[], [string, bigint, number]][])(
    'a second scheduled change %s',
    (_, changes, [planId, price, quantity]) => {
      expect(ahead(scheduledAfter(aSubscription(), ...changes))).toMatchObject({ planId, price, quantity })
    },
  )

  it('a second scheduled change preserves the scheduled anchor date unless the second change sets another anchor', () => {
    const anchored = scheduledAfter(aSubscription(), { quantity: 2, anchor: at('2025-07-11') })
    expect(scheduledAfter(anchored, { quantity: 3 }).scheduledUpdate).toMatchObject({
      anchor: at('2025-07-11'),
      quantity: 3,
    })
    const inFull = scheduledAfter(aSubscription(), { quantity: 2, anchor: at('2025-07-11'), prorate: false })
    expect(scheduledAfter(inFull, { quantity: 3 }).scheduledUpdate).toMatchObject({ prorate: false, quantity: 3 })
    expect(scheduledAfter(anchored, { quantity: 2, resetAnchor: true }).scheduledUpdate?.anchor).toBe('renewal')
    const other = { quantity: 2, anchor: at('2025-07-05') }
    expect(scheduledAfter(anchored, other).scheduledUpdate?.anchor).toEqual(at('2025-07-05'))
  })

  it('reversing a scheduled change removes the scheduled update and emits an event', () => {
    const { next, events } = scheduleChange(scheduledAfter(aSubscription(), { quantity: 3 }), aChange({ quantity: 1 }))
    expect({ scheduledUpdate: next.scheduledUpdate, events }).toEqual({ scheduledUpdate: null, events: scheduled })
    expect(scheduledAfter(aSubscription(), { plan: aBetterPlan() }, { plan: aPlan() }).scheduledUpdate).toBeNull()
    expect(scheduledAfter(aSubscription(), { price: euros(9_000n) }, { plan: aPlan() }).scheduledUpdate).toBeNull()
  })

  it('if a second scheduled change returns to the current quantity, the scheduled anchor date is preserved', () => {
    const back = scheduledAfter(aSubscription(), { quantity: 3, anchor: at('2025-07-11') }, { quantity: 1 })
    expect(back.scheduledUpdate).toMatchObject({ anchor: at('2025-07-11'), quantity: 1 })
  })

  it('a second scheduled change is refused if the scheduled price times the new quantity would exceed 99,999,999.99', () => {
    const dear = scheduledAfter(aSubscription(), { price: euros(9_999_999_999n) })
    expect(() => scheduleChange(dear, aChange({ quantity: 2 }))).toThrow(
      expect.objectContaining({ code: 'validation_failed', on: { quantity: [expect.any(String)] } }),
    )
  })

  it('a second scheduled change emits an event only if it changes the scheduled update', () => {
    const cut = scheduledAfter(aSubscription(), { quantity: 2, anchor: at('2025-07-11') })
    expect(scheduleChange(cut, aChange({ quantity: 2 })).events).toEqual([])
    expect(scheduleChange(cut, aChange({ quantity: 2, prorate: false })).events).toEqual([])
    const inFull = aChange({ quantity: 2, anchor: at('2025-07-11'), prorate: false })
    expect(scheduleChange(cut, inFull).events).toEqual(scheduled)
    const plain = scheduledAfter(aSubscription(), { quantity: 2 })
    expect(scheduleChange(plain, aChange({ quantity: 2, prorate: false })).events).toEqual([])
  })

  it('a scheduled change of the billing interval removes a scheduled anchor date', () => {
    const yearly = aBetterPlan({ billingInterval: { interval: 'year', intervalCount: 1 } })
    const both = scheduledAfter(aSubscription(), { plan: yearly, anchor: at('2026-06-01') })
    expect(scheduledAfter(both, { plan: aBetterPlan() }).scheduledUpdate).toMatchObject({
      plan: aBetterPlan(),
      anchor: null,
    })
    expect(scheduledAfter(both, { quantity: 2 }).scheduledUpdate?.anchor).toEqual(at('2026-06-01'))
    const daily = aPlan({
      planId: 'subscription_plan_0000000000000000000003',
      billingInterval: { interval: 'day', intervalCount: 1 },
    })
    const waiting = scheduledAfter(aSubscription(), { quantity: 2, anchor: at('2025-07-11') })
    const { next } = change(waiting, aChangeNow({ plan: daily, prorate: false }), at('2025-06-16'))
    expect(next.scheduledUpdate).toMatchObject({ quantity: 2, anchor: null })
  })

  it('a new trial removes a scheduled anchor date, because the end of the trial is the anchor', () => {
    const waiting = scheduledAfter(aSubscription(), { quantity: 2, anchor: at('2025-07-11') })
    const trialUntil = at('2025-08-01')
    const { next } = change(waiting, aChange({ quantity: 2, trialUntil }), at('2025-06-16'))
    expect(next).toMatchObject({ anchorAt: trialUntil, scheduledUpdate: { quantity: 2, anchor: null } })
    const only = scheduledAfter(aSubscription(), { quantity: 1, anchor: at('2025-07-11') })
    expect(change(only, aChange({ quantity: 1, trialUntil }), at('2025-06-16')).next.scheduledUpdate).toBeNull()
  })

  it('a second scheduled change to the current plan removes the scheduled plan and preserves the scheduled quantity', () => {
    const waiting = scheduledAfter(aSubscription(), { plan: aBetterPlan(), quantity: 3 })
    expect(scheduledAfter(waiting, { plan: aPlan() }).scheduledUpdate).toMatchObject({ plan: null, quantity: 3 })
  })

  it('after an immediate change of the plan, the renewal applies the new plan and the scheduled quantity', () => {
    const before = scheduledAfter(aSubscription(), { quantity: 5 })
    const { next } = change(before, aChangeNow({ plan: aBetterPlan() }), at('2025-06-16'))
    expect(ahead(next)).toMatchObject({ planId: better, price: 30_000n, quantity: 5 })
  })
})

it.each(['trial', 'active', 'paused'] as const)(
  'a subscription in status %s accepts a change for its next renewal',
  (status) => {
    const { next, events } = change(inEachState[status], aChange({ quantity: 2 }), at('2025-06-20'))
    expect({ events, status: next.status, quantity: next.quantity }).toEqual({ events: scheduled, status, quantity: 1 })
    expect(next.scheduledUpdate?.quantity).toBe(2)
  },
)
