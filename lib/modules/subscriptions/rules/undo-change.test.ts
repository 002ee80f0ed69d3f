import { describe, expect, it } from 'vitest'
import { aBetterPlan, aChangeNow, aSubscription, euros } from '../examples.ts'
import { change } from './change.ts'
import type { Change } from './change-request.ts'
import { type ChargedChange, snapshotOf } from './charged-change.ts'
import { renew } from './renew.ts'
import type { ScheduledUpdate, Subscription } from './subscription.ts'
import { isRemovedBy, remaining, undoChanges } from './undo-change.ts'

const at = (text: string) => new Date(text.length === 10 ? `${text}T00:00:00Z` : text)
const [first, second, givenUp] = [at('2025-06-16'), at('2025-06-18'), at('2025-06-23')]
const yearly = aBetterPlan({ billingInterval: { interval: 'year', intervalCount: 1 } })
const scheduled = (more: Partial<ScheduledUpdate>): ScheduledUpdate => ({
  plan: null,
  price: null,
  quantity: null,
  anchor: null,
  prorate: true,
  ...more,
})

function charged(before: Subscription, asked: Partial<Change>, now: Date, orderId = 'order_1') {
  const { next } = change(before, aChangeNow({ invoiceImmediately: true, ...asked }), now)
  const made: ChargedChange = {
    orderId,
    subscriptionId: before.id,
    before: snapshotOf(before),
    after: snapshotOf(next),
    isTakenBack: false,
  }
  return { next, made }
}

const undo = (
  subscription: Subscription,
  undone: readonly ChargedChange[],
  more: { standing?: readonly ChargedChange[]; isPaidAhead?: boolean; now?: Date } = {},
) => undoChanges(subscription, { undone, standing: [], isPaidAhead: false, now: givenUp, ...more })

const before = aSubscription()

describe('undoing an unpaid change', () => {
  it.each<[string, Partial<Change>]>([
    ['quantity', { quantity: 3 }],
    ['price', { price: euros(12_000n) }],
    ['plan', { plan: aBetterPlan() }],
    ['interval', { plan: yearly }],
    ['anchor', { quantity: 1, anchor: at('2025-07-11') }],
    ['reset anchor', { quantity: 1, resetAnchor: true }],
    ['all fields together', { plan: yearly, price: euros(99_000n), quantity: 4, anchor: at('2025-12-11') }],
  ])('undoing a change restores the subscription completely: %s', (_, asked) => {
    const { next, made } = charged(before, asked, first)
    expect(next).not.toEqual(before)
    expect(undo(next, [made])).toMatchObject({ next: before, when: 'now' })
  })

  it('undoing an unpaid change preserves unbilled prorations of earlier changes', () => {
    const parked = change(before, aChangeNow({ quantity: 2 }), at('2025-06-10')).next
    for (const asked of [{ quantity: 3 }, { plan: yearly }]) {
      const { next, made } = charged(parked, asked, first)
      expect(undo(next, [made]).next).toEqual(parked)
    }
  })

  it('undoing a quantity change removes unbilled prorations of later quantity changes, but not of price changes', () => {
    const { next, made } = charged(before, { quantity: 2 }, first)
    const more = change(next, aChangeNow({ quantity: 3 }), at('2025-06-22')).next
    expect(more.parked).toHaveLength(2)
    expect(undo(more, [made]).next).toEqual(before)
    const dearer = change(next, aChangeNow({ price: euros(20_000n) }), second).next
    expect(undo(dearer, [made]).next).toMatchObject({ quantity: 1, price: euros(20_000n), parked: dearer.parked })
  })

  it('undoing a change preserves a scheduled update, unless the update equals the restored terms', () => {
    const { next, made } = charged(
      aSubscription({ scheduledUpdate: scheduled({ quantity: 5 }) }),
      { quantity: 3 },
      first,
    )
    expect(undo(next, [made]).next.scheduledUpdate).toMatchObject({ quantity: 5 })
    expect(undo({ ...next, scheduledUpdate: scheduled({ quantity: 1 }) }, [made]).next.scheduledUpdate).toBeNull()
  })

  it('undoing a change preserves the grace period of a later cancellation', () => {
    const { next, made } = charged(before, { plan: yearly }, first)
    const canceled = { ...next, status: 'on_grace_period', resumesTo: 'active', canceledAt: second } as const
    expect(undo(canceled, [made]).next).toMatchObject({ status: 'on_grace_period', renewedUntil: at('2025-07-01') })
  })

  it('if a change is undone after the end of the former period, a renewal for the rest of the cycle is due immediately', () => {
    const { next, made } = charged(before, { plan: yearly }, at('2025-06-28'))
    const now = at('2025-07-05')
    const returned = undo(next, [made], { now }).next
    expect(returned.renewedUntil).toEqual(now)
    const renewal = renew(returned, { due: now, now })
    expect(renewal.next).toMatchObject({ renewedUntil: at('2025-08-01'), billingInterval: before.billingInterval })
    // The period from 5 July has 27 of the 31 days of a month, so the charge is 100.00 × 27 / 31.
    expect(renewal.lines).toEqual([
      { kind: 'remaining', name: 'Basic', quantity: 1, from: now, until: at('2025-08-01'), amount: 8_710n },
    ])
    expect(renew(renewal.next, { due: at('2025-08-01'), now }).next.renewedUntil).toEqual(at('2025-09-01'))
  })

  it('undoing a change of a paused subscription restores the former end of the period, even if this end has passed', () => {
    const { next, made } = charged(before, { plan: yearly }, at('2025-06-28'))
    const paused = { ...next, status: 'paused' } as const
    expect(undo(paused, [made], { now: at('2025-07-05') }).next.renewedUntil).toEqual(at('2025-07-01'))
  })

  it('undoing a change preserves a trial that began after the change', () => {
    const { next, made } = charged(before, { price: euros(12_000n) }, first)
    const trial = change(next, aChangeNow({ quantity: 1, trialUntil: at('2025-07-20') }), second).next
    expect(undo(trial, [made]).next).toMatchObject({ price: before.price, renewedUntil: at('2025-07-20') })
  })
})

describe('two unpaid changes in a row', () => {
  const seats = charged(before, { quantity: 2 }, first, 'order_1')
  const more = charged(seats.next, { quantity: 4 }, second, 'order_2')
  const dearer = charged(seats.next, { price: euros(20_000n) }, second, 'order_2')

  it('undoing two unpaid changes restores the terms before the first change', () => {
    for (const later of [more, dearer]) expect(undo(later.next, [seats.made, later.made]).next).toEqual(before)
  })

  it('undoing the second change restores the terms of the paid first change', () => {
    for (const later of [more, dearer]) expect(undo(later.next, [later.made]).next).toEqual(seats.next)
  })

  it('undoing the first change preserves the effect of a paid second change', () => {
    const units = undo(more.next, [seats.made], { standing: [more.made] })
    expect(units.next).toMatchObject({ quantity: 3, period: { paid: 30_000n } })
    const price = undo(dearer.next, [seats.made], { standing: [dearer.made] })
    expect(price.next).toMatchObject({ quantity: 1, price: euros(20_000n), period: { paid: 30_000n } })
    const both = charged(
      charged(before, { price: euros(11_000n) }, first).next,
      { price: euros(12_000n) },
      second,
      'order_2',
    )
    const offer = charged(before, { price: euros(11_000n) }, first).made
    expect(undo(both.next, [offer], { standing: [both.made] }).next).toMatchObject({
      price: euros(12_000n),
      period: { paid: 11_000n },
    })
  })

  it('undoing the first and then the second change restores the original subscription', () => {
    for (const later of [more, dearer]) {
      const { next, standing } = undo(later.next, [seats.made], { standing: [later.made] })
      expect(undo(next, standing).next).toEqual(before)
    }
  })
})

describe('undoing a change in a period that another order paid', () => {
  it('if another order paid for the current period, a change is undone at the end of the period', () => {
    const { next, made } = charged(before, { quantity: 2, price: euros(12_000n) }, first)
    const renewed = renew(next, { due: at('2025-07-01'), now: at('2025-07-01') }).next
    const kept = undo(renewed, [made], { isPaidAhead: true, now: at('2025-07-07') })
    expect(kept.when).toBe('at_renewal')
    expect(kept.next).toEqual({ ...renewed, scheduledUpdate: scheduled({ quantity: 1, price: before.price }) })
    expect(renew(kept.next, { due: at('2025-08-01'), now: at('2025-08-01') }).next).toMatchObject({
      quantity: 1,
      price: before.price,
    })
  })

  it('if a change is undone at the renewal, values that were already scheduled are preserved', () => {
    const { next, made } = charged(before, { quantity: 2, plan: aBetterPlan() }, first)
    const scheduledUpdate = scheduled({ quantity: 9 })
    const kept = undo({ ...next, scheduledUpdate }, [made], { isPaidAhead: true })
    expect(kept.next.scheduledUpdate).toMatchObject({ quantity: 9, plan: { name: 'Basic' } })
  })

  it('a change is not undone at the renewal if the subscription will not renew', () => {
    const { next, made } = charged(before, { quantity: 2 }, first)
    const canceled = { ...next, status: 'on_grace_period', resumesTo: 'active', canceledAt: second } as const
    expect(undo(canceled, [made], { isPaidAhead: true })).toMatchObject({ next: canceled, when: null })
  })
})

describe('later terms and an unpaid change', () => {
  const units = charged(before, { quantity: 3 }, first).made
  const offer = charged(before, { plan: aBetterPlan(), quantity: 2 }, first).made
  const reset = charged(before, { quantity: 1, resetAnchor: true }, first).made
  const terms = (quantity: number, plan = {}) => ({ ...snapshotOf(before).terms, ...plan, quantity })

  it.each<[string, ChargedChange, ReturnType<typeof terms>, boolean]>([
    ['the former quantity reverses a change of the quantity', units, terms(1), true],
    ['a quantity above the former quantity does not reverse a change of the quantity', units, terms(2), false],
    ['the former terms reverse a change of the plan', offer, terms(1), true],
    ['the former plan with another quantity does not reverse a change of the plan', offer, terms(2), false],
    [
      'the former quantity on the new plan does not reverse a change of the plan',
      offer,
      terms(1, aBetterPlan()),
      false,
    ],
    ['another price does not reverse a change of the quantity', units, terms(3, { price: euros(1n) }), false],
    ['a reset of the anchor is never reversed by terms', reset, terms(1), false],
  ])('only a return to the former terms reverses an unpaid change: %s', (_, made, now, is) => {
    expect(isRemovedBy(made, now)).toBe(is)
  })

  it('a later increase of the quantity does not restore the units that an earlier decrease removed from an unpaid change', () => {
    const left = remaining(units, terms(2))
    expect(left.after.terms.quantity).toBe(2)
    expect(remaining(left, terms(9)).after.terms.quantity).toBe(2)
  })
})
