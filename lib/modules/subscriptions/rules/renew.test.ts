import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Interval, intervals } from '../../../kernel/calendar.ts'
import { toWire } from '../../../kernel/moment.ts'
import { aBetterPlan, aPlan, aSubscription, euros, inEachState } from '../examples.ts'
import { renew } from './renew.ts'
import type { ProrationLine, ScheduledUpdate, Subscription } from './subscription.ts'

const at = (text: string) => new Date(text.length === 10 ? `${text}T00:00:00Z` : text)
const days = (count: number) => BigInt(count * 86_400)

function renewed(subscription: Subscription) {
  const due = subscription.renewedUntil
  if (!due) throw new Error('nothing is due')
  return renew(subscription, { due, now: due })
}
const scheduled = (differences: Partial<ScheduledUpdate>): ScheduledUpdate => ({
  plan: null,
  price: null,
  quantity: null,
  anchor: null,
  prorate: true,
  ...differences,
})
const yearly = aBetterPlan({ price: euros(100_000n), billingInterval: { interval: 'year', intervalCount: 1 } })
const parked: ProrationLine[] = [
  { kind: 'unused', name: 'Basic', quantity: 1, from: at('2025-06-16'), until: at('2025-07-01'), amount: -5_000n },
  { kind: 'remaining', name: 'Pro', quantity: 1, from: at('2025-06-16'), until: at('2025-07-01'), amount: 15_000n },
]

describe('a renewal', () => {
  it('a renewal bills exactly one period at the agreed price', () => {
    const before = aSubscription({ quantity: 3 })
    const { next, lines, reason } = renewed(before)
    expect(next).toEqual({
      ...before,
      cycleNumber: 1,
      period: { startAt: at('2025-07-01'), endAt: at('2025-08-01'), seconds: days(31), paid: 30_000n },
      renewedAt: at('2025-07-01'),
      renewedUntil: at('2025-08-01'),
    })
    expect(lines).toEqual([{ kind: 'period', name: 'Basic', unitPrice: 10_000n, quantity: 3 }])
    expect(reason).toBe('renewed')
  })

  it.each([
    ['a day late', '2025-07-02', '2025-08-02'],
    ['three periods late', '2025-10-05', '2025-11-05'],
  ])(
    'a delayed renewal that runs %s begins its period when the renewal runs, and bills one period',
    (_, now, endAt) => {
      const before = aSubscription()
      const { next, lines } = renew(before, { due: at('2025-07-01'), now: at(now), waited: true })
      expect(next).toMatchObject({
        anchorAt: at(now),
        cycleNumber: 0,
        renewedAt: at(now),
        renewedUntil: at(endAt),
        period: { startAt: at(now), endAt: at(endAt), paid: 10_000n },
      })
      expect(lines).toEqual([{ kind: 'period', name: 'Basic', unitPrice: 10_000n, quantity: 1 }])
    },
  )

  it('if a delayed renewal runs after the scheduled anchor, its period ends on the next date counted from the anchor', () => {
    const before = aSubscription({ scheduledUpdate: scheduled({ anchor: at('2025-07-15') }) })
    const { next } = renew(before, { due: at('2025-07-01'), now: at('2025-08-01'), waited: true })
    expect(next).toMatchObject({ renewedUntil: at('2025-08-15'), period: { startAt: at('2025-08-01') } })
  })

  it('a renewal is refused if its period was already billed, or is not the next period', () => {
    const due = at('2025-07-01')
    const { next } = renew(aSubscription(), { due, now: due })
    expect(() => renew(next, { due, now: due })).toThrow(/billed before/)
    expect(() => renew(aSubscription(), { due: at('2025-08-01'), now: due })).toThrow(/not the next one/)
  })

  it.each(['on_grace_period', 'paused', 'canceled'] as const)(
    'a subscription in status %s is not renewed',
    (status) => {
      expect(() => renewed(inEachState[status])).toThrow(`no transition 'renew' from '${status}'`)
    },
  )

  it('a renewal before its due time bills the same period and records the time of the renewal', () => {
    const { next } = renew(aSubscription(), { due: at('2025-07-01'), now: at('2025-06-10T12:00:00Z') })
    expect(next).toMatchObject({ renewedAt: at('2025-06-10T12:00:00Z'), renewedUntil: at('2025-08-01') })
    expect(next.period?.startAt).toEqual(at('2025-07-01'))
  })

  it('late renewals bill each due period exactly once, in order', () => {
    const now = at('2025-09-20T05:06:07Z')
    const spans: string[] = []
    let subscription = aSubscription()
    for (let due = subscription.renewedUntil; due && due <= now; due = subscription.renewedUntil) {
      const { next, lines } = renew(subscription, { due, now })
      expect(lines).toEqual([{ kind: 'period', name: 'Basic', unitPrice: 10_000n, quantity: 1 }])
      expect(next.renewedAt).toEqual(now)
      spans.push([next.period?.startAt, next.period?.endAt].map((each) => each && toWire(each).slice(5, 10)).join(' '))
      subscription = next
    }
    expect(spans).toEqual(['07-01 08-01', '08-01 09-01', '09-01 10-01'])
  })

  it('the renewal at the end of a trial is the first charge, and later periods are counted from the end of the trial', () => {
    const { next, lines, reason } = renewed(inEachState.trial)
    expect(next).toMatchObject({
      status: 'active',
      trialUntil: null,
      anchorAt: at('2025-07-15'),
      cycleNumber: 0,
      renewedUntil: at('2025-08-15'),
      period: { startAt: at('2025-07-15'), endAt: at('2025-08-15') },
    })
    expect(lines).toEqual([{ kind: 'period', name: 'Basic', unitPrice: 10_000n, quantity: 1 }])
    expect(reason).toBe('renewed')
  })

  it('exactly one renewal bills the deferred proration lines, after the line of the new period', () => {
    const { next, lines } = renewed(aSubscription({ parked }))
    expect(lines).toEqual([{ kind: 'period', name: 'Basic', unitPrice: 10_000n, quantity: 1 }, ...parked])
    expect(next.parked).toEqual([])
    expect(renewed(next).lines).toHaveLength(1)
  })

  it('a renewal charges a custom price, whether or not the price includes tax', () => {
    for (const taxBehavior of ['exclusive', 'inclusive'] as const)
      expect(renewed(aSubscription({ price: euros(4_200n), taxBehavior })).lines).toEqual([
        { kind: 'period', name: 'Basic', unitPrice: 4_200n, quantity: 1 },
      ])
  })
})

describe('the periods of a subscription', () => {
  it.each([
    ['31 January', '2025-01-31T10:15:30Z', 'month', 1, ['02-28', '03-31', '04-30', '05-31', '06-30', '07-31']],
    ['31 January of a leap year', '2024-01-31T00:00:00Z', 'month', 1, ['02-29', '03-31', '04-30']],
    ['29 February', '2024-02-29T00:00:00Z', 'year', 1, ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
    [
      '29 February by 12 months',
      '2024-02-29T00:00:00Z',
      'month',
      12,
      ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    ['30 November by quarters', '2025-11-30T23:59:59Z', 'month', 3, ['02-28', '05-30', '08-30', '11-30']],
    ['the night that Europe loses an hour', '2025-03-30T01:30:00Z', 'month', 1, ['04-30', '05-30']],
    ['a Tuesday', '2025-06-03T09:00:00Z', 'week', 1, ['06-10', '06-17', '06-24']],
    ['the night that Europe gains an hour', '2025-10-26T00:30:00Z', 'day', 1, ['10-27', '10-28']],
  ] as [string, string, Interval, number, string[]][])(
    'each period of a subscription that began on %s ends on a date counted from the anchor, or on the last day of a shorter month',
    (_, start, interval, intervalCount, ends) => {
      let subscription = aSubscription({ anchorAt: at(start), billingInterval: { interval, intervalCount } })
      for (const end of ends) {
        expect(subscription.renewedUntil && toWire(subscription.renewedUntil)).toMatch(end + start.slice(10))
        subscription = renewed(subscription).next
      }
    },
  )

  it('the dates of 48 renewals do not drift, even if each renewal is late', () => {
    const start = fc.date({ min: at('2024-01-01'), max: at('2029-01-01'), noInvalidDate: true })
    const begun = start.map((moment) => new Date(Math.floor(moment.getTime() / 1000) * 1000))
    const late = fc.integer({ min: 0, max: 90 * 86_400 })
    fc.assert(
      fc.property(begun, fc.constantFrom(...intervals), late, (anchorAt, interval, seconds) => {
        let subscription = aSubscription({ anchorAt, billingInterval: { interval, intervalCount: 1 } })
        for (let n = 1; n <= 48; n++) {
          const due = subscription.renewedUntil ?? anchorAt
          const { next, lines } = renew(subscription, { due, now: new Date(due.getTime() + seconds * 1000) })
          expect(next.period?.startAt).toEqual(due)
          expect(lines).toEqual([{ kind: 'period', name: 'Basic', unitPrice: 10_000n, quantity: 1 }])
          expect(toWire(next.renewedUntil ?? due).slice(10)).toBe(toWire(anchorAt).slice(10))
          if (interval === 'month') {
            const [end, first] = [next.renewedUntil ?? due, anchorAt]
            const months =
              (end.getUTCFullYear() - first.getUTCFullYear()) * 12 + end.getUTCMonth() - first.getUTCMonth()
            const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
            expect(months).toBe(n + 1)
            expect(end.getUTCDate()).toBe(Math.min(first.getUTCDate(), last))
          }
          subscription = next
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('a renewal that applies a scheduled update', () => {
  it('a renewal applies a scheduled update, and bills the new terms', () => {
    const update = scheduled({ plan: aBetterPlan(), price: euros(25_000n), quantity: 4 })
    const { next, lines, reason } = renewed(aSubscription({ scheduledUpdate: update, parked }))
    expect(next).toMatchObject({
      planId: aBetterPlan().planId,
      name: 'Pro',
      description: 'Everything.',
      price: euros(25_000n),
      quantity: 4,
      scheduledUpdate: null,
      period: { startAt: at('2025-07-01'), endAt: at('2025-08-01'), paid: 100_000n },
    })
    expect(lines).toEqual([{ kind: 'period', name: 'Pro', unitPrice: 25_000n, quantity: 4 }, ...parked])
    expect(reason).toBe('updated_on_renewal')
  })

  it('a renewal with a scheduled update preserves the billing day if the interval is unchanged', () => {
    const before = aSubscription({ anchorAt: at('2025-01-31'), scheduledUpdate: scheduled({ plan: aBetterPlan() }) })
    const { next } = renewed(before)
    expect(next).toMatchObject({ anchorAt: at('2025-01-31'), renewedUntil: at('2025-03-31') })
  })

  it.each([
    ['a quarter from 28 February', '2025-01-31', 'month', 3, ['2025-05-31', '2025-08-31', '2025-11-30', '2026-02-28']],
    ['two months from 28 February', '2025-01-30', 'month', 2, ['2025-04-30', '2025-06-30', '2025-08-30']],
    ['a year from 28 February', '2025-01-31', 'year', 1, ['2026-02-28', '2027-02-28', '2028-02-29']],
    ['12 months from 28 February', '2025-01-29', 'month', 12, ['2026-02-28', '2027-02-28', '2028-02-29']],
    ['four weeks from 28 February', '2025-01-31', 'week', 4, ['2025-03-28', '2025-04-25']],
  ] as const)(
    'a renewal that changes the interval preserves the anchor’s day of the month unless the new interval is in weeks: %s',
    (_, anchor, interval, intervalCount, ends) => {
      const plan = aBetterPlan({ billingInterval: { interval, intervalCount } })
      let next = renewed(aSubscription({ anchorAt: at(anchor), scheduledUpdate: scheduled({ plan }) })).next
      for (const end of ends) {
        expect(next.renewedUntil).toEqual(at(end))
        next = renewed(next).next
      }
    },
  )

  it('a renewal that changes a yearly plan to a monthly plan preserves the anchor of 29 February', () => {
    const before = aSubscription({
      ...yearly,
      anchorAt: at('2024-02-29'),
      scheduledUpdate: scheduled({ plan: aPlan() }),
    })
    const { next } = renewed(before)
    expect(next.renewedUntil).toEqual(at('2025-03-29'))
    expect(renewed(next).next.renewedUntil).toEqual(at('2025-04-29'))
  })

  it('if a renewal changes the interval, the first cycle of the new interval begins at the renewal', () => {
    const { next, lines } = renewed(aSubscription({ scheduledUpdate: scheduled({ plan: yearly }) }))
    expect(next).toMatchObject({
      anchorAt: at('2025-07-01'),
      cycleNumber: 0,
      renewedUntil: at('2026-07-01'),
      billingInterval: { interval: 'year', intervalCount: 1 },
    })
    expect(lines).toEqual([{ kind: 'period', name: 'Pro', unitPrice: 100_000n, quantity: 1 }])
  })

  it('a renewal with a scheduled reset of the anchor begins a new cycle on the day of the renewal', () => {
    const { next } = renewed(
      aSubscription({ anchorAt: at('2025-01-31'), scheduledUpdate: scheduled({ anchor: 'renewal' }) }),
    )
    expect(next).toMatchObject({ anchorAt: at('2025-02-28'), cycleNumber: 0, renewedUntil: at('2025-03-28') })
    expect(renewed(next).next.renewedUntil).toEqual(at('2025-04-28'))
  })

  it('if a renewal with a scheduled reset of the anchor runs late, later periods are counted from the due date of the renewal', () => {
    const before = aSubscription({ scheduledUpdate: scheduled({ anchor: 'renewal' }) })
    const { next } = renew(before, { due: at('2025-07-01'), now: at('2025-07-09T10:00:00Z') })
    expect(next).toMatchObject({ anchorAt: at('2025-07-01'), renewedUntil: at('2025-08-01') })
  })

  it('a renewal at the end of a trial applies the scheduled terms', () => {
    const { next, lines } = renewed({ ...inEachState.trial, scheduledUpdate: scheduled({ plan: yearly }) })
    expect(next).toMatchObject({ status: 'active', anchorAt: at('2025-07-15'), renewedUntil: at('2026-07-15') })
    expect(lines).toEqual([{ kind: 'period', name: 'Pro', unitPrice: 100_000n, quantity: 1 }])
  })
})

describe('a renewal with a scheduled anchor', () => {
  const july = { from: at('2025-07-01') }

  it('a renewal with a scheduled anchor shortens the new period and bills a proportional price', () => {
    const { next, lines } = renewed(aSubscription({ scheduledUpdate: scheduled({ anchor: at('2025-07-11') }) }))
    expect(lines).toEqual([
      { kind: 'remaining', name: 'Basic', quantity: 1, ...july, until: at('2025-07-11'), amount: 3_226n },
    ])
    expect(next).toMatchObject({
      anchorAt: at('2025-07-11'),
      cycleNumber: -1,
      renewedUntil: at('2025-07-11'),
      period: { startAt: at('2025-07-01'), endAt: at('2025-07-11'), seconds: days(31), paid: 10_000n },
    })
    const after = renewed(next)
    expect(after.next).toMatchObject({ cycleNumber: 0, renewedUntil: at('2025-08-11') })
    expect(after.lines).toEqual([{ kind: 'period', name: 'Basic', unitPrice: 10_000n, quantity: 1 }])
  })

  it('if a scheduled anchor is before the renewal, the new period ends one interval after the anchor', () => {
    const { next, lines } = renewed(aSubscription({ scheduledUpdate: scheduled({ anchor: at('2025-06-21') }) }))
    expect(next).toMatchObject({ anchorAt: at('2025-06-21'), cycleNumber: 0, renewedUntil: at('2025-07-21') })
    expect(lines).toEqual([
      { kind: 'remaining', name: 'Basic', quantity: 1, ...july, until: at('2025-07-21'), amount: 6_452n },
    ])
    expect(renewed(next).next.renewedUntil).toEqual(at('2025-08-21'))
  })

  it('a renewal with an anchor and without proration bills the full price for the shorter period', () => {
    const update = scheduled({ anchor: at('2025-07-11'), prorate: false })
    const { next, lines } = renewed(aSubscription({ scheduledUpdate: update }))
    expect(lines).toEqual([{ kind: 'period', name: 'Basic', unitPrice: 10_000n, quantity: 1 }])
    expect(next.period).toMatchObject({ seconds: days(31), paid: 31_000n })
    expect(renewed(next).next.period?.paid).toBe(10_000n)
  })

  it('a renewal on the day of the scheduled anchor bills a whole period', () => {
    const { next, lines } = renewed(aSubscription({ scheduledUpdate: scheduled({ anchor: at('2025-07-01') }) }))
    expect(lines).toEqual([{ kind: 'period', name: 'Basic', unitPrice: 10_000n, quantity: 1 }])
    expect(next).toMatchObject({ anchorAt: at('2025-07-01'), renewedUntil: at('2025-08-01') })
  })

  it('a renewal that sets an anchor and a new interval prorates the price by the new interval', () => {
    const update = scheduled({ plan: yearly, anchor: at('2026-01-01') })
    const { next, lines } = renewed(aSubscription({ scheduledUpdate: update }))
    // The price is for 184 of the 365 days from 1 July 2025.
    expect(lines).toEqual([
      { kind: 'remaining', name: 'Pro', quantity: 1, ...july, until: at('2026-01-01'), amount: 50_411n },
    ])
    expect(renewed(next).next.renewedUntil).toEqual(at('2027-01-01'))
  })
})
