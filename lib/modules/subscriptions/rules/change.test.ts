import { describe, expect, it } from 'vitest'
import { aBetterPlan, aChange, aChangeNow, aPlan, aSubscription, euros, inEachState } from '../examples.ts'
import type { BillingLine } from './bill.ts'
import { change } from './change.ts'
import type { Change } from './change-request.ts'
import { renew } from './renew.ts'
import { nextRenewalAt, type Period, type ScheduledUpdate, type Subscription } from './subscription.ts'

const at = (text: string) => new Date(text.length === 10 ? `${text}T00:00:00Z` : text)
const days = (count: number) => BigInt(count * 86_400)
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
  ])('the credit of an immediate change for unused time excludes refunds: %s', (_, given, expected) => {
    const { lines } = change(aSubscription(), invoiced({ quantity: 2 }), now, given)
    expect(amounts(lines)).toEqual(expected)
  })

  it.each([
    ['no further amount was refunded', 4_000n, [-10_000n, 15_000n]],
    ['a further amount was refunded', 6_000n, [-9_000n, 15_000n]],
    ['a dispute was won', 0n, [-12_000n, 15_000n]],
  ])(
    'only the first of two changes deducts a refund from its credit; between the changes, %s',
    (_, later, expected) => {
      const { next } = change(aSubscription(), invoiced({ quantity: 2 }), at('2025-06-16'), [back(4_000n)])
      const charged = { from: at('2025-06-16'), until: june.until, amount: 0n }
      const { lines } = change(next, invoiced({ quantity: 3 }), at('2025-06-16'), [back(later), charged])
      expect(amounts(lines)).toEqual(expected)
    },
  )

  it('a refund for a time that has ended does not affect the paid amount that a change sets', () => {
    const until = at('2025-06-05')
    const { next } = change(aSubscription(), invoiced({ quantity: 3 }), until, [
      back(3_000n, { from: june.from, until }),
    ])
    expect(next.period?.paid).toBe(30_000n)
  })

  it('after a change that begins a new period, the next change does not deduct the same refund again', () => {
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

  it('the immediate reversal of an increase is refused, and without proration it gives no credit for the increase', () => {
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

describe('an immediate change of the anchor', () => {
  it('an anchor before the end of the current period ends the period on the day of the anchor, and later periods are counted from that day', () => {
    const dearer = { plan: null, quantity: null, price: { from: '100.00', to: '600.00', withTax: false } }
    const request = invoiced({ price: euros(60_000n), anchor: at('2025-06-21') })
    const { next, lines, period, events } = change(aSubscription(), request, now)
    expect(lines).toEqual([
      { kind: 'unused', name: 'Basic', quantity: 1, ...rest, amount: -5_000n, change: dearer },
      {
        kind: 'remaining',
        name: 'Basic',
        quantity: 1,
        from: now,
        until: at('2025-06-21'),
        amount: 10_000n,
        change: dearer,
      },
    ])
    expect({ period, events }).toEqual({ period: 'moved', events: updated })
    expect(next).toMatchObject({ anchorAt: at('2025-06-21'), renewedUntil: at('2025-06-21') })
    expect(next.period).toEqual({
      startAt: at('2025-06-01'),
      endAt: at('2025-06-21'),
      seconds: days(30),
      paid: 60_000n,
    })
    expect(renewal(next)).toEqual({ until: at('2025-07-21'), amounts: [60_000n] })
  })

  it('an anchor after the end of the current period extends the period to the day of the anchor', () => {
    const { next, lines } = change(aSubscription(), invoiced({ quantity: 1, anchor: at('2025-07-11') }), now)
    expect(amounts(lines)).toEqual([-5_000n, 8_333n])
    expect(next.renewedUntil).toEqual(at('2025-07-11'))
    expect(renewal(next)).toEqual({ until: at('2025-08-11'), amounts: [10_000n] })
  })

  it('the charge for a moved anchor is deferred to the renewal unless the change is invoiced now', () => {
    const { next, lines, period } = change(aSubscription(), aChangeNow({ quantity: 1, anchor: at('2025-07-11') }), now)
    expect({ lines, period }).toEqual({ lines: [], period: 'moved' })
    expect(renewal(next)).toEqual({ until: at('2025-08-11'), amounts: [10_000n, -5_000n, 8_333n] })
  })

  it('a change of the anchor is refused if its credit exceeds its charge', () => {
    const request = aChangeNow({ quantity: 1, anchor: at('2025-06-21') })
    expect(() => change(aSubscription(), request, now)).toThrow(refused('applyImmediately'))
  })

  it.each([
    ['shortened', '2025-06-21', '2025-06-18', 1_500n],
    ['extended', '2025-07-11', '2025-06-26', 3_750n],
  ])(
    'if an anchor without proration has %s the current period, the amount already paid covers exactly this period',
    (_, end, later, credit) => {
      const request = invoiced({ quantity: 1, prorate: false, anchor: at(end) })
      const { next, lines, period } = change(aSubscription(), request, now)
      expect({ lines, period, until: next.renewedUntil }).toEqual({ lines: [], period: 'moved', until: at(end) })
      expect(amounts(change(next, invoiced({ price: euros(90_000n) }), at(later)).lines)[0]).toBe(-credit)
      expect(renewal(next).amounts).toEqual([10_000n])
    },
  )

  it('in an extended period, a new price is prorated over a full interval instead of over the extended period', () => {
    const before = aSubscription({ price: euros(3_000n) })
    const stretched = change(before, invoiced({ quantity: 1, anchor: at('2025-07-11') }), at('2025-06-11')).next
    const dearer = change(stretched, invoiced({ price: euros(6_000n) }), at('2025-06-21'))
    expect(amounts(dearer.lines)).toEqual([-2_000n, 4_000n])
    const free = change(
      before,
      invoiced({ quantity: 1, prorate: false, anchor: at('2025-07-11') }),
      at('2025-06-11'),
    ).next
    expect(amounts(change(free, invoiced({ price: euros(6_000n) }), at('2025-06-21')).lines)).toEqual([-1_500n, 4_000n])
  })

  it('in a shortened period, a new price is prorated over a full interval instead of over the shortened period', () => {
    const cut = change(
      aSubscription({ price: euros(3_000n) }),
      invoiced({ quantity: 1, prorate: false, anchor: at('2025-06-21') }),
      at('2025-06-11'),
    ).next
    expect(amounts(change(cut, invoiced({ price: euros(60_000n) }), at('2025-06-16')).lines)).toEqual([-750n, 10_000n])
  })

  it.each([
    ['of yesterday', '2025-06-15'],
    ['of today', '2025-06-16'],
    ['more than an interval ahead', '2025-07-17'],
  ])('an anchor %s is refused for an immediate change and for a scheduled change', (_, day) => {
    const noon = at('2025-06-16T12:00:00Z')
    for (const request of [aChange({ quantity: 2 }), aChangeNow({ quantity: 2, prorate: false })])
      expect(() => change(aSubscription(), { ...request, anchor: at(day) }, noon)).toThrow(refused('anchor'))
  })

  it('an anchor is accepted from tomorrow up to a whole calendar interval in the future', () => {
    const request = aChangeNow({ quantity: 2, prorate: false })
    const move = (anchor: string, moment: string) =>
      change(aSubscription(), { ...request, anchor: at(anchor) }, at(moment)).next.renewedUntil
    expect(move('2025-06-17', '2025-06-16T12:00:00Z')).toEqual(at('2025-06-17'))
    expect(move('2025-07-16', '2025-06-16T12:00:00Z')).toEqual(at('2025-07-16'))
    expect(move('2025-07-16', '2025-06-16T00:00:00Z')).toEqual(at('2025-07-16'))
    expect(() => move('2025-06-16', '2025-06-16T00:00:00Z')).toThrow(refused('anchor'))
  })

  it('an anchor can be up to one interval of the new plan in the future', () => {
    const far = { plan: yearly, anchor: at('2025-12-16') }
    expect(change(aSubscription(), aChange(far), now).events).toEqual(['subscription.update_scheduled'])
    expect(change(aSubscription(), aChangeNow(far), now).next.renewedUntil).toEqual(at('2025-12-16'))
    expect(() => change(aSubscription(), aChangeNow({ ...far, anchor: at('2026-06-17') }), now)).toThrow(
      refused('anchor'),
    )
  })

  it('an anchor on 28 February that replaces an anchor on the 31st makes later periods end on the 28th', () => {
    const before = aSubscription({ anchorAt: at('2025-01-31') })
    const { next } = change(before, aChangeNow({ quantity: 1, anchor: at('2025-02-28') }), at('2025-02-10'))
    expect(renewal(next)).toEqual({ until: at('2025-03-28'), amounts: [10_000n] })
  })

  it('an anchor before the start of a period that was billed ahead is refused', () => {
    const { next: ahead } = renew(aSubscription(), { due: at('2025-07-01'), now })
    const request = aChangeNow({ quantity: 1, prorate: false, anchor: at('2025-06-21') })
    expect(() => change(ahead, request, now)).toThrow(refused('anchor'))
  })
})

describe('an immediate change that begins a new period', () => {
  it('a change of the interval charges the new period in full, less the unused part of the old period', () => {
    const { next, lines, period, events } = change(aSubscription(), aChangeNow({ plan: yearly }), now)
    expect(lines).toEqual([
      { kind: 'unused', name: 'Basic', quantity: 1, ...rest, amount: -5_000n, ...toPro },
      { kind: 'period', name: 'Pro', unitPrice: 100_000n, quantity: 1, ...toPro },
    ])
    expect({ period, events }).toEqual({ period: 'new', events: updated })
    const begun: Period = { startAt: now, endAt: at('2026-06-16'), seconds: days(365), paid: 100_000n }
    expect(next).toMatchObject({ anchorAt: now, cycleNumber: 0, renewedUntil: begun.endAt, period: begun, parked: [] })
    expect(renewal(next)).toEqual({ until: at('2027-06-16'), amounts: [100_000n] })
  })

  it('a reset of the anchor begins a new period on the same terms', () => {
    const { next, lines, period } = change(aSubscription(), aChangeNow({ quantity: 1, resetAnchor: true }), now)
    expect(amounts(lines)).toEqual([-5_000n, 10_000n])
    expect(period).toBe('new')
    expect(next).toMatchObject({ anchorAt: now, renewedUntil: at('2025-07-16') })
  })

  it('a change of the interval without proration gives no credit', () => {
    for (const asked of [{ plan: yearly }, { price: euros(100_000n), resetAnchor: true }])
      expect(amounts(change(aSubscription(), aChangeNow({ ...asked, prorate: false }), now).lines)).toEqual([100_000n])
  })

  it('a change of the interval bills the deferred proration lines with the new period', () => {
    const { next, lines } = change(aSubscription({ parked }), aChangeNow({ plan: yearly }), now)
    expect(amounts(lines)).toEqual([-5_000n, 100_000n, 700n])
    expect(next.parked).toEqual([])
    expect(renewal(next).amounts).toEqual([100_000n])
  })

  it('a change of the interval with an anchor charges only the part of the period up to the anchor', () => {
    const request = aChangeNow({ plan: yearly, anchor: at('2025-12-16') })
    const { next, lines, period } = change(aSubscription(), request, now)
    // The charge is for 183 of the next 365 days.
    expect(lines).toMatchObject([{ amount: -5_000n }, { kind: 'remaining', until: at('2025-12-16'), amount: 50_137n }])
    expect(period).toBe('new')
    expect(renewal(next)).toEqual({ until: at('2026-12-16'), amounts: [100_000n] })
  })

  it('a change of the interval with an anchor and without proration charges the full price', () => {
    const request = aChangeNow({ plan: yearly, anchor: at('2025-12-16'), prorate: false })
    const { next, lines } = change(aSubscription(), request, now)
    expect(lines).toEqual([{ kind: 'period', name: 'Pro', unitPrice: 100_000n, quantity: 1, ...toPro }])
    const { lines: later } = change(next, invoiced({ price: euros(900_000n) }), at('2025-12-06'))
    expect(amounts(later)[0]).toBe(-5_464n) // The credit is for ten of the 183 days.
  })

  it('a change of the interval is refused if the credit exceeds the new charge', () => {
    const before = aSubscription({ ...yearly, anchorAt: at('2025-06-01') })
    const asked = { plan: aPlan(), quantity: 1 }
    expect(() => change(before, aChangeNow(asked), now)).toThrow(refused('applyImmediately'))
    expect(amounts(change(before, aChangeNow({ ...asked, prorate: false }), now).lines)).toEqual([10_000n])
  })

  it('a change that begins a new period of a free plan creates no order', () => {
    const free = aSubscription({ price: euros(0n) })
    expect(change(free, aChangeNow({ quantity: 1, resetAnchor: true }), now)).toMatchObject({
      lines: [],
      period: 'new',
    })
  })

  // The credit equals the charge, and a difference of zero creates no order.
  it('in the first second of the current period, a change that begins a new period costs nothing', () => {
    const request = aChangeNow({ quantity: 1, resetAnchor: true })
    expect(change(aSubscription(), request, at('2025-06-01')).lines).toEqual([])
  })

  it('if the next period was billed ahead, a change that begins a new period credits this whole next period', () => {
    const { next: ahead } = renew(aSubscription(), { due: at('2025-07-01'), now })
    const { next, lines } = change(ahead, aChangeNow({ plan: yearly }), now)
    expect(amounts(lines)).toEqual([-10_000n, 100_000n])
    expect(next.renewedUntil).toEqual(at('2026-06-16'))
  })
})

describe('a change of the trial', () => {
  const trialUntil = at('2025-07-15T09:00:00Z')

  it('a change that adds a trial begins the trial immediately, and the end of the trial is the anchor and the time of the next charge', () => {
    const before = aSubscription()
    const { next, events, lines, period } = change(before, aChangeNow({ quantity: 1, trialUntil }), now)
    expect(next).toEqual({
      ...before,
      status: 'trial',
      trialUntil,
      anchorAt: trialUntil,
      cycleNumber: -1,
      renewedUntil: trialUntil,
    })
    expect({ events, lines, period }).toEqual({ events: updated, lines: [], period: null })
    expect(renewal(next)).toEqual({ until: at('2025-08-15T09:00:00Z'), amounts: [10_000n] })
  })

  it('a trial begins immediately even if other changes of the request wait for the end of the trial', () => {
    const { next, events } = change(aSubscription(), aChange({ quantity: 2, trialUntil }), now)
    expect(events).toEqual(['subscription.updated', 'subscription.update_scheduled'])
    expect(next).toMatchObject({ status: 'trial', quantity: 1, scheduledUpdate: { quantity: 2 } })
    expect(renewal(next).amounts).toEqual([20_000n])
  })

  it('deferred proration lines wait for the renewal at the end of a new trial', () => {
    const { next } = change(aSubscription({ parked }), aChangeNow({ quantity: 1, trialUntil }), now)
    expect(renewal(next).amounts).toEqual([10_000n, 700n])
  })

  it.each([
    ['extended', '2025-08-01'],
    ['shortened', '2025-06-20'],
  ])('a trial in progress is %s without a charge', (_, end) => {
    const { next, events, lines } = change(inEachState.trial, aChangeNow({ quantity: 1, trialUntil: at(end) }), now)
    expect(next).toMatchObject({ status: 'trial', trialUntil: at(end), anchorAt: at(end), renewedUntil: at(end) })
    expect({ events, lines }).toEqual({ events: updated, lines: [] })
  })

  it.each([
    ['in the past', '2025-06-15T23:59:59Z'],
    ['now', '2025-06-16T00:00:00Z'],
    ['before the end of the paid period', '2025-06-30T23:59:59Z'],
  ])('the end of a trial is refused if it is %s', (_, end) => {
    for (const request of [aChange(), aChangeNow()])
      expect(() => change(aSubscription(), { ...request, quantity: 1, trialUntil: at(end) }, now)).toThrow(
        refused('trialUntil'),
      )
  })

  it('a trial cannot end now if no paid period preceded the trial', () => {
    const request = aChangeNow({ quantity: 1, trialUntil: now })
    expect(() => change(inEachState.trial, request, now)).toThrow(refused('trialUntil'))
  })

  it('a trial can end together with the paid period', () => {
    const { next } = change(aSubscription(), aChangeNow({ quantity: 1, trialUntil: at('2025-07-01') }), now)
    expect(next).toMatchObject({ status: 'trial', renewedUntil: at('2025-07-01') })
  })

  it.each([
    ['another plan', { plan: aBetterPlan() }],
    ['another interval', { plan: yearly }],
    ['a lower price', { price: euros(1n) }],
    ['more seats', { quantity: 5 }],
  ])('an immediate change to %s during a trial costs nothing', (_, asked) => {
    const extended = { ...asked, trialUntil: at('2025-08-01') }
    for (const invoice of [aChangeNow(asked), invoiced(asked), invoiced(extended)]) {
      const { next, events, lines, period } = change(inEachState.trial, invoice, now)
      expect({ events, lines, period, parked: next.parked }).toEqual({
        events: updated,
        lines: [],
        period: null,
        parked: [],
      })
      expect(next.status).toBe('trial')
      const { plan } = invoice
      if (plan) expect(next).toMatchObject(plan)
    }
    const { next } = change(aSubscription(), invoiced({ ...asked, trialUntil }), now)
    expect(next).toMatchObject({ status: 'trial', parked: [] })
  })

  it('after a change of the interval in a trial, the new interval is charged at the end of the trial', () => {
    const { next } = change(inEachState.trial, aChangeNow({ plan: yearly }), now)
    expect(renewal(next)).toEqual({ until: at('2026-07-15'), amounts: [100_000n] })
  })

  it('during a trial, an anchor date is accepted only for the renewal, and a reset of the anchor is always refused', () => {
    const anchor = at('2025-07-01')
    expect(() => change(inEachState.trial, aChangeNow({ quantity: 2, anchor }), now)).toThrow(refused('anchor'))
    for (const request of [
      aChange({ quantity: 2, resetAnchor: true }),
      aChangeNow({ quantity: 2, resetAnchor: true }),
    ]) {
      expect(() => change(inEachState.trial, request, now)).toThrow(refused('resetAnchor'))
      expect(() => change(aSubscription(), { ...request, trialUntil }, now)).toThrow(refused('resetAnchor'))
    }
    expect(change(inEachState.trial, aChange({ quantity: 2, anchor }), now).next.scheduledUpdate?.anchor).toEqual(
      anchor,
    )
  })
})

describe('an immediate change in a grace period', () => {
  const grace = inEachState.on_grace_period

  it('an immediate change of plan, price, and quantity in a grace period applies to the remaining time', () => {
    const { next, events, lines } = change(grace, invoiced({ plan: aBetterPlan(), quantity: 2 }), now)
    expect(amounts(lines)).toEqual([-5_000n, 30_000n])
    expect(events).toEqual(updated)
    const { canceledAt, cancellationReason, renewedUntil } = grace
    expect(next).toMatchObject({ status: 'on_grace_period', canceledAt, cancellationReason, renewedUntil, quantity: 2 })
  })

  it.each([
    ['an effect at the renewal', aChange({ quantity: 2 }), 'applyImmediately'],
    ['an anchor', aChangeNow({ quantity: 2, anchor: at('2025-06-21') }), 'anchor'],
    ['a reset anchor', aChangeNow({ quantity: 2, resetAnchor: true }), 'resetAnchor'],
    ['a trial', aChangeNow({ quantity: 2, trialUntil: at('2025-08-01') }), 'trialUntil'],
    ['another interval', aChangeNow({ plan: yearly }), 'subscriptionPlanId'],
    [
      'another count of the same interval',
      aChangeNow({ plan: aBetterPlan({ billingInterval: { interval: 'month', intervalCount: 3 } }) }),
      'subscriptionPlanId',
    ],
    ['a lower price for the remaining time', aChangeNow({ price: euros(1n) }), 'applyImmediately'],
  ])('a change with %s is refused in a grace period', (_, request, field) => {
    expect(() => change(grace, request, now)).toThrow(refused(field))
  })

  it('a change in the grace period of a trial costs nothing', () => {
    const { trialUntil, anchorAt, renewedUntil, cycleNumber } = inEachState.trial
    const canceled = { ...grace, trialUntil, anchorAt, renewedUntil, cycleNumber, period: null }
    const { next, lines } = change(canceled, invoiced({ plan: aBetterPlan() }), now)
    expect({ lines, parked: next.parked, name: next.name }).toEqual({ lines: [], parked: [], name: 'Pro' })
  })

  it('a subscription cannot be changed after its grace period has ended', () => {
    expect(() => change(grace, aChangeNow({ quantity: 2 }), at('2025-07-01'))).toThrow(notChangeable)
  })
})

describe('an immediate change in a pause', () => {
  it('a change of a paused subscription waits for the next renewal', () => {
    const { next, events } = change(inEachState.paused, aChange({ quantity: 2 }), now)
    expect(next).toMatchObject({ status: 'paused', quantity: 1, scheduledUpdate: { quantity: 2 } })
    expect(events).toEqual(['subscription.update_scheduled'])
  })

  it.each([
    ['immediate effect', aChangeNow({ quantity: 2 }), 'applyImmediately'],
    ['a trial', aChange({ quantity: 2, trialUntil: at('2025-08-01') }), 'trialUntil'],
  ])('in a pause, a change with %s is refused', (_, request, field) => {
    expect(() => change(inEachState.paused, request, now)).toThrow(refused(field))
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
