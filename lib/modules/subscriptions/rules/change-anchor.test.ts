import { describe, expect, it } from 'vitest'
import { aBetterPlan, aChange, aChangeNow, aPlan, aSubscription, euros } from '../examples.ts'
import type { BillingLine } from './bill.ts'
import { change } from './change.ts'
import type { Change } from './change-request.ts'
import { renew } from './renew.ts'
import { nextRenewalAt, type Period, type Subscription } from './subscription.ts'

const at = (text: string) => new Date(text.length === 10 ? `${text}T00:00:00Z` : text)
const days = (count: number) => BigInt(count * 86_400)
const now = at('2025-06-16')
const rest = { from: now, until: at('2025-07-01') }
const yearly = aBetterPlan({ price: euros(100_000n), billingInterval: { interval: 'year', intervalCount: 1 } })
const invoiced = (differences: Partial<Change>) => aChangeNow({ invoiceImmediately: true, ...differences })

const refused = (field: string) =>
  expect.objectContaining({ code: 'validation_failed', status: 422, on: { [field]: [expect.any(String)] } })

const updated = ['subscription.updated']

const amounts = (lines: readonly BillingLine[]) =>
  lines.map((line) => (line.kind === 'period' ? line.unitPrice * BigInt(line.quantity) : line.amount))

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
    'if a new anchor without proration has %s the current period, the amount already paid covers exactly this period',
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
    expect(amounts(later)[0]).toBe(-5_464n) // The credit for ten of the 183 days is 54.64.
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
