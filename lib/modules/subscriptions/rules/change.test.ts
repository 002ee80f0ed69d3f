import { describe, expect, it } from 'vitest'
import { aBetterPlan, aChange, aChangeNow, aPlan, aSubscription, euros, inEachState } from '../examples.ts'
import type { BillingLine } from './bill.ts'
import { change } from './change.ts'
import type { Change } from './change-request.ts'
import { renew } from './renew.ts'
import { nextRenewalAt, type ScheduledUpdate, type Subscription } from './subscription.ts'

const at = (text: string) => new Date(text.length === 10 ? `${text}T00:00:00Z` : text)
const now = at('2025-06-16')
const rest = { from: now, until: at('2025-07-01') }
const yearly = aBetterPlan({ price: euros(100_000n), billingInterval: { interval: 'year', intervalCount: 1 } })
const invoiced = (differences: Partial<Change>) => aChangeNow({ invoiceImmediately: true, ...differences })

const refused = (field: string) =>
  expect.objectContaining({ code: 'validation_failed', status: 422, on: { [field]: [expect.any(String)] } })

const notChangeable = expect.objectContaining({ code: 'subscription_not_changeable', status: 422 })
const updated = ['subscription.updated']

const amounts = (lines: readonly BillingLine[]) =>
  lines.map((line) => (line.kind === 'period' ? line.unitPrice * BigInt(line.quantity) : line.amount))

const scheduledUpdate: ScheduledUpdate = { plan: null, price: null, quantity: 9, anchor: null, prorate: true }

const parked = [
  { kind: 'remaining', name: 'Basic', quantity: 1, from: at('2025-06-10'), until: at('2025-07-01'), amount: 700n },
] as const

const toPro = { change: { plan: { from: 'Basic', to: 'Pro' }, quantity: null, price: null } }

function renewal(subscription: Subscription) {
  const due = nextRenewalAt(subscription)
  if (!due) throw new Error('nothing is due')
  const { next, lines } = renew(subscription, { due, now: due })
  return { until: next.renewedUntil, amounts: amounts(lines) }
}

describe('an immediate change after a refund', () => {
  const june = { from: at('2025-06-01'), until: at('2025-07-01') }
  const sinceThe11th = { from: at('2025-06-11'), until: june.until }
  const back = (amount: bigint, time = june) => ({ ...time, amount })

  it.each([
    ['nothing was refunded', [], [-5_000n, 10_000n]],
    ['all was refunded', [back(10_000n)], [10_000n]],
    ['more than the paid amount was refunded', [back(12_000n)], [10_000n]],
    ['a part was refunded, so the part for the remaining time is deducted', [back(3_000n)], [-3_500n, 10_000n]],
    ['several parts were refunded', [back(3_000n), back(1_000n)], [-3_000n, 10_000n]],
    ['a part of the last twenty days was refunded', [back(2_000n, sinceThe11th)], [-3_500n, 10_000n]],
    [
      'a part was refunded, for a time that has ended',
      [back(3_000n, { ...june, until: at('2025-06-10') }), back(0n)],
      [-3_500n, 10_000n],
    ],
  ])('an immediate change credits unused time, but not time that was refunded: %s', (_, given, expected) => {
    const { lines } = change(aSubscription(), invoiced({ quantity: 2 }), now, given)
    expect(amounts(lines)).toEqual(expected)
  })

  it.each([
    ['no further amount was refunded', 4_000n, [-10_000n, 15_000n]],
    ['a further amount was refunded', 6_000n, [-9_000n, 15_000n]],
    ['a dispute was won', 0n, [-12_000n, 15_000n]],
  ])('two successive changes deduct the same refund only once, if between the changes %s', (_, later, expected) => {
    const { next } = change(aSubscription(), invoiced({ quantity: 2 }), at('2025-06-16'), [back(4_000n)])
    const charged = { from: at('2025-06-16'), until: june.until, amount: 0n }
    const { lines } = change(next, invoiced({ quantity: 3 }), at('2025-06-16'), [back(later), charged])
    expect(amounts(lines)).toEqual(expected)
  })

  it('a refund for the time before a change does not reduce the paid amount after the change', () => {
    const until = at('2025-06-05')
    const { next } = change(aSubscription(), invoiced({ quantity: 3 }), until, [
      back(3_000n, { from: june.from, until }),
    ])
    expect(next.period?.paid).toBe(30_000n)
  })

  it('if a change begins a new period and deducts a refund, the next change does not deduct the refund again', () => {
    const { next, lines } = change(aSubscription(), invoiced({ plan: yearly }), now, [back(4_000n)])
    expect(amounts(lines)).toEqual([-3_000n, 100_000n])
    const year = { from: now, until: at('2026-06-16'), amount: 0n }
    const credit = (given: bigint) =>
      amounts(change(next, invoiced({ quantity: 2 }), now, [back(given), year]).lines)[0]
    expect([4_000n, 10_000n, 0n].map(credit)).toEqual([-100_000n, -97_000n, -102_000n])
  })

  it('after a change of the interval without proration, the new period counts as fully paid despite an earlier refund', () => {
    const { next } = change(aSubscription(), invoiced({ plan: yearly, prorate: false }), now, [back(4_000n)])
    expect(next.period?.paid).toBe(100_000n)
  })

  it('after a refund, a change without proration leaves the paid amount unchanged', () => {
    const { next } = change(aSubscription(), aChangeNow({ quantity: 2, prorate: false }), now, [back(4_000n)])
    expect(next.period?.paid).toBe(10_000n)
  })
})

describe('an immediate change', () => {
  it('an immediate change of the plan defers the additional price for the remaining period to the renewal', () => {
    const before = aSubscription()
    const plan = aBetterPlan()
    const changed = change(before, aChangeNow({ plan }), now)
    const lines = [
      { kind: 'unused', name: 'Basic', quantity: 1, ...rest, amount: -5_000n, ...toPro },
      { kind: 'remaining', name: 'Pro', quantity: 1, ...rest, amount: 15_000n, ...toPro },
    ]
    expect(changed).toEqual({
      next: { ...before, ...plan, period: { ...before.period, paid: 30_000n }, parked: lines },
      events: updated,
      lines: [],
      period: null,
    })
    expect(renewal(changed.next)).toEqual({ until: at('2025-08-01'), amounts: [30_000n, -5_000n, 15_000n] })
  })

  it('an immediate change with an immediate invoice is charged now and not again at the renewal', () => {
    const { next, lines } = change(aSubscription(), invoiced({ plan: aBetterPlan() }), now)
    expect(amounts(lines)).toEqual([-5_000n, 15_000n])
    expect(next.parked).toEqual([])
    expect(renewal(next).amounts).toEqual([30_000n])
  })

  it('an immediate invoice of a change leaves earlier deferred proration lines to the renewal', () => {
    const before = aSubscription({ parked })
    expect(change(before, invoiced({ quantity: 2 }), now).next.parked).toEqual(parked)
    expect(amounts(change(before, aChangeNow({ quantity: 2 }), now).next.parked)).toEqual([700n, -5_000n, 10_000n])
  })

  it.each([
    ['after a third of June', at('2025-06-11'), { paid: 10_000n, to: 30_000n }, [-6_667n, 20_000n]],
    ['after the first day of June', at('2025-06-02'), { paid: 500n, to: 2_000n }, [-483n, 1_933n]],
    ['after half of June', now, { paid: 1_000n, to: 2_000n }, [-500n, 1_000n]],
    ['at noon on 11 June', at('2025-06-11T12:00:00Z'), { paid: 3_000n, to: 6_000n }, [-1_950n, 3_900n]],
    ['at the start of June', at('2025-06-01'), { paid: 2_999n, to: 9_999n }, [-2_999n, 9_999n]],
  ])('an immediate change of the price %s is prorated by seconds', (_, moment, { paid, to }, expected) => {
    const { lines } = change(aSubscription({ price: euros(paid) }), invoiced({ price: euros(to) }), moment)
    expect(amounts(lines)).toEqual(expected)
  })

  it('an immediate change in a yearly period is prorated over the actual days of the year', () => {
    const before = aSubscription({
      anchorAt: at('2024-08-01'),
      billingInterval: yearly.billingInterval,
      price: euros(100_000n),
    })
    const { lines } = change(before, invoiced({ price: euros(300_000n) }), at('2024-10-01'))
    expect(amounts(lines)).toEqual([-83_288n, 249_863n])
  })

  it('an immediate change of quantity is prorated per unit', () => {
    const before = aSubscription({ price: euros(1_000n), quantity: 3 })
    const { next, lines } = change(before, invoiced({ quantity: 5 }), now)
    expect(amounts(lines)).toEqual([-1_500n, 2_500n])
    expect(next).toMatchObject({ quantity: 5, price: euros(1_000n) })
  })

  it('a change one second before the end of a period costs nothing and creates no order', () => {
    const before = aSubscription({ price: euros(2_999n) })
    const { next, events, lines } = change(before, invoiced({ price: euros(9_999n) }), at('2025-06-30T23:59:59Z'))
    expect({ lines, events, parked: next.parked }).toEqual({ lines: [], events: updated, parked: [] })
    expect(renewal(next).amounts).toEqual([9_999n])
  })

  it('a change to a plan of the same price creates no order', () => {
    const { next, events, lines } = change(
      aSubscription(),
      invoiced({ plan: aBetterPlan({ price: euros(10_000n) }) }),
      now,
    )
    expect({ lines, events, name: next.name, parked: next.parked }).toEqual({
      lines: [],
      events: updated,
      name: 'Pro',
      parked: [],
    })
  })

  it('a change at a tax-inclusive price prorates the gross price', () => {
    const before = aSubscription({ taxBehavior: 'inclusive', price: euros(2_999n) })
    const { next, lines } = change(before, invoiced({ price: euros(9_999n) }), now)
    expect(amounts(lines)).toEqual([-1_500n, 5_000n])
    expect(next.taxBehavior).toBe('inclusive')
  })

  it('a change of the plan replaces a custom price with the plan’s price or the given price', () => {
    const before = aSubscription({ price: euros(4_200n) })
    expect(change(before, aChangeNow({ plan: aBetterPlan() }), now).next.price).toEqual(euros(30_000n))
    const both = aChangeNow({ plan: aBetterPlan(), price: euros(25_000n) })
    expect(change(before, both, now).next.price).toEqual(euros(25_000n))
  })

  it('an immediate change preserves the scheduled update', () => {
    const { next } = change(aSubscription({ scheduledUpdate }), aChangeNow({ quantity: 2 }), now)
    expect(next).toMatchObject({ quantity: 2, scheduledUpdate })
  })

  it('an immediate change is refused if its credit exceeds its charge, whether invoiced now or later', () => {
    const before = aSubscription({ price: euros(2_000n) })
    for (const request of [aChangeNow({ price: euros(500n) }), invoiced({ price: euros(500n) })])
      expect(() => change(before, request, now)).toThrow(refused('applyImmediately'))
    expect(change(before, aChange({ price: euros(500n) }), now).events).toEqual(['subscription.update_scheduled'])
  })

  it('a change is refused if the price of a period would exceed 99,999,999.99, whether immediate or at the renewal', () => {
    const asked = { price: euros(9_999_999_999n), quantity: 2 }
    expect(() => change(aSubscription(), aChangeNow(asked), now)).toThrow(refused('quantity'))
    expect(() => change(aSubscription(), aChange(asked), now)).toThrow(refused('quantity'))
  })
})

describe('an immediate change without proration', () => {
  it('a change without proration costs nothing until the renewal, even with an immediate invoice', () => {
    for (const price of [euros(30_000n), euros(500n)])
      for (const request of [aChangeNow({ price, prorate: false }), invoiced({ price, prorate: false })]) {
        const { next, events, lines } = change(aSubscription(), request, now)
        expect({ lines, events, price: next.price, parked: next.parked }).toEqual({
          lines: [],
          events: updated,
          price,
          parked: [],
        })
        expect(renewal(next).amounts).toEqual([price.minor])
      }
  })

  it('a change without proration leaves the paid amount unchanged, and the next change credits this amount', () => {
    const { next } = change(aSubscription(), aChangeNow({ price: euros(30_000n), prorate: false }), at('2025-06-11'))
    const { lines } = change(next, invoiced({ price: euros(40_000n) }), now)
    expect(amounts(lines)).toEqual([-5_000n, 20_000n])
  })
})

describe('a second immediate change', () => {
  it('a second change treats amounts that are deferred to the renewal as paid', () => {
    const { next } = change(aSubscription(), aChangeNow({ price: euros(20_000n) }), at('2025-06-11'))
    const { next: last } = change(next, aChangeNow({ price: euros(30_000n) }), at('2025-06-21'))
    expect(amounts(last.parked)).toEqual([-6_667n, 13_333n, -6_667n, 10_000n])
  })

  it('a second change credits the paid amount instead of the plan’s price', () => {
    const before = aSubscription()
    const discounted = { ...before, period: before.period && { ...before.period, paid: 6_000n } }
    expect(amounts(change(discounted, invoiced({ price: euros(20_000n) }), now).lines)).toEqual([-3_000n, 10_000n])
  })

  it('an immediate reversal of an increase is refused with proration, and gives no credit for the increase without proration', () => {
    const { next } = change(aSubscription(), aChangeNow({ quantity: 3 }), now)
    expect(() => change(next, aChangeNow({ quantity: 1 }), now)).toThrow(refused('applyImmediately'))
    const { next: back } = change(next, aChangeNow({ quantity: 1, prorate: false }), now)
    expect(renewal(back).amounts).toEqual([10_000n, -5_000n, 15_000n])
  })

  it('if the next period was billed ahead, an immediate change credits and charges this whole period', () => {
    const { next: ahead } = renew(aSubscription(), { due: at('2025-07-01'), now })
    const { next, lines } = change(ahead, invoiced({ quantity: 2 }), now)
    const july = { from: at('2025-07-01'), until: at('2025-08-01') }
    expect(lines).toMatchObject([
      { kind: 'unused', ...july, amount: -10_000n },
      { kind: 'remaining', ...july, amount: 20_000n },
    ])
    expect(next.renewedUntil).toEqual(at('2025-08-01'))
  })
})

describe('an immediate change without a difference', () => {
  it.each([
    ['the current quantity', { quantity: 1 }],
    ['the current price', { price: euros(10_000n) }],
    ['the current plan', { plan: aPlan() }],
    ['the current quantity, price, and plan', { plan: aPlan(), price: euros(10_000n), quantity: 1 }],
    ['the end of the current period as the anchor', { quantity: 1, anchor: at('2025-07-01') }],
  ])('an immediate change to %s changes nothing', (_, asked) => {
    const before = aSubscription({ scheduledUpdate, parked })
    for (const prorate of [true, false])
      expect(change(before, invoiced({ ...asked, prorate }), now)).toEqual({
        next: before,
        events: [],
        lines: [],
        period: null,
      })
  })

  it('an immediate change to the current end of the trial changes nothing', () => {
    const before = inEachState.trial
    for (const request of [aChange(), aChangeNow()])
      expect(change(before, { ...request, quantity: 1, trialUntil: before.trialUntil }, now)).toMatchObject({
        next: before,
        events: [],
      })
  })
})

it.each(['created', 'canceled'] as const)('every change of a subscription in status %s is refused', (status) => {
  for (const request of [aChange({ quantity: 2 }), aChangeNow({ quantity: 2 })])
    expect(() => change(inEachState[status], request, now)).toThrow(notChangeable)
})

describe('a scheduled update that an immediate change makes obsolete', () => {
  it.each([
    ['quantity', { quantity: 2 }, { quantity: 2 }],
    ['price', { price: euros(20_000n) }, { price: euros(20_000n) }],
    ['plan', { plan: aBetterPlan() }, { plan: aBetterPlan() }],
    ['anchor', { quantity: 1, anchor: at('2025-07-11') }, { quantity: 1, anchor: at('2025-07-11') }],
  ])('a scheduled update is removed if an immediate change sets the scheduled value: %s', (_, later, asked) => {
    const { next } = change(aSubscription(), aChange(later), now)
    expect(next.scheduledUpdate).not.toBeNull()
    expect(change(next, aChangeNow(asked), now).next.scheduledUpdate).toBeNull()
  })

  it('after an immediate change, a scheduled update is preserved if it still changes at least one field', () => {
    const { next } = change(aSubscription(), aChange({ quantity: 3, price: euros(20_000n) }), now)
    const { scheduledUpdate } = change(next, aChangeNow({ quantity: 3 }), now).next
    expect(scheduledUpdate).toMatchObject({ quantity: 3, price: euros(20_000n) })
  })
})
