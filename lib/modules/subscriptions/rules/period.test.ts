import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BillingInterval, intervals } from '../../../kernel/calendar.ts'
import { toWire } from '../../../kernel/moment.ts'
import {
  type CyclePosition,
  firstPeriod,
  followingPeriod,
  nth,
  oneCycleAfter,
  periodUpTo,
  secondsBetween,
  share,
} from './period.ts'

const at = (text: string) => new Date(text.length === 10 ? `${text}T00:00:00Z` : text)
const cycleOf = (interval: BillingInterval['interval'], intervalCount = 1): BillingInterval => ({
  interval,
  intervalCount,
})
const monthly = cycleOf('month')
const days = (count: number) => BigInt(count * 86_400)
const spanOf = ({ period }: CyclePosition) => period && [toWire(period.startAt), toWire(period.endAt)]

describe('consecutive periods', () => {
  it.each([
    ['31 January', '2025-01-31T10:15:30Z', monthly, ['2025-02-28', '2025-03-31', '2025-04-30', '2025-05-31']],
    ['31 January of a leap year', '2024-01-31T00:00:00Z', monthly, ['2024-02-29', '2024-03-31', '2024-04-30']],
    [
      '29 February by the year',
      '2024-02-29T00:00:00Z',
      cycleOf('year'),
      ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    ['30 November by the quarter', '2025-11-30T23:59:59Z', cycleOf('month', 3), ['2026-02-28', '2026-05-30']],
    ['the night when summer time begins in Europe', '2025-03-30T01:30:00Z', monthly, ['2025-04-30', '2025-05-30']],
    ['a Tuesday by the week', '2025-06-03T09:00:00Z', cycleOf('week'), ['2025-06-10', '2025-06-17', '2025-06-24']],
  ])(
    'if periods are counted from %s, each period begins at the end of the previous period',
    (_, anchor, billingInterval, ends) => {
      let standing = firstPeriod(at(anchor), billingInterval, 100n)
      for (const end of ends) {
        expect(toWire(standing.renewedUntil ?? at(anchor))).toBe(end + anchor.slice(10))
        standing = followingPeriod(standing, billingInterval, 100n)
      }
    },
  )

  it('48 consecutive periods have no gap, overlap, or drift', () => {
    const anchors = fc.date({ min: at('2020-01-01'), max: at('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(
        anchors,
        fc.constantFrom(...intervals),
        fc.integer({ min: 1, max: 12 }),
        (anchor, interval, count) => {
          const billingInterval = cycleOf(interval, count)
          let standing = firstPeriod(anchor, billingInterval, 100n)
          for (let n = 1; n <= 48; n++) {
            const next = followingPeriod(standing, billingInterval, 100n)
            expect(next.period?.startAt).toEqual(standing.period?.endAt)
            expect(next.period && next.period.startAt < next.period.endAt).toBe(true)
            expect(next).toMatchObject({ anchorAt: anchor, cycleNumber: n, renewedUntil: next.period?.endAt })
            expect(next.renewedUntil).toEqual(oneCycleAfter(anchor, cycleOf(interval, count * (n + 1))))
            standing = next
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('a subscription that never started has no next period', () => {
    const never = { anchorAt: null, cycleNumber: -1, renewedUntil: null, period: null }
    expect(() => followingPeriod(never, monthly, 100n)).toThrow()
  })
})

describe('a period up to a given day', () => {
  it.each([
    ['ends on that day if it starts before that day', '2025-07-11', '2025-07-01', '2025-07-11', 31, -1],
    ['ends a cycle after that day if it starts after that day', '2025-06-20', '2025-07-01', '2025-07-20', 31, 0],
    ['is a whole period if it begins on that day', '2025-07-01', '2025-07-01', '2025-08-01', 31, 0],
    ['is a whole period if it begins on that day of a later month', '2025-06-01', '2025-07-01', '2025-08-01', 31, 1],
    [
      'ends on the last day of a short month if the given day is a 31st',
      '2025-01-31',
      '2025-02-10',
      '2025-02-28',
      28,
      0,
    ],
    [
      'is a whole period if it begins on the last day of a short month',
      '2025-01-31',
      '2025-02-28',
      '2025-03-31',
      31,
      1,
    ],
    [
      'is longer than a month if it begins on 28 February and ends on 31 March',
      '2025-03-31',
      '2025-02-28',
      '2025-03-31',
      28,
      -1,
    ],
  ])(
    'for an anchor on a given day, periodUpTo() returns a period that %s',
    (_, anchor, startAt, endAt, length, cycleNumber) => {
      const standing = periodUpTo(at(anchor), at(startAt), monthly, 100n)
      expect(spanOf(standing)).toEqual([`${startAt}T00:00:00Z`, `${endAt}T00:00:00Z`])
      expect(standing).toMatchObject({ anchorAt: at(anchor), cycleNumber, renewedUntil: at(endAt) })
      expect(standing.period).toMatchObject({ seconds: days(length), paid: 100n })
    },
  )

  it('if the first period is shortened to end on a given day, every later period has the full length', () => {
    let standing = periodUpTo(at('2025-01-31'), at('2025-02-10'), monthly, 100n)
    for (const end of ['2025-03-31', '2025-04-30', '2025-05-31']) {
      standing = followingPeriod(standing, monthly, 100n)
      expect(standing.renewedUntil).toEqual(at(end))
    }
  })
})

describe('a share of an amount', () => {
  it.each([
    [1_000n, 1n, 2n, 500n],
    [1n, 1n, 2n, 1n],
    [-1n, 1n, 2n, -1n],
    [100n, 1n, 3n, 33n],
    [100n, 2n, 3n, 67n],
    [100n, 4n, 3n, 133n],
    [100n, 0n, 3n, 0n],
    [100n, 1n, 0n, 0n],
  ])('the part of the amount %s for %s of %s seconds is %s', (amount, part, whole, expected) => {
    expect(share(amount, part, whole)).toBe(expected)
  })

  it('the seconds between two times are never negative', () => {
    expect(secondsBetween(at('2025-06-01'), at('2025-06-02'))).toBe(days(1))
    expect(secondsBetween(at('2025-06-02'), at('2025-06-01'))).toBe(0n)
  })
})

it.each([
  ['day', 1],
  ['week', 2],
  ['month', 1],
  ['month', 5],
  ['year', 1],
] as const)('the next period is found for an anchor centuries ago: interval %s × %i', (interval, intervalCount) => {
  const billingInterval = { interval, intervalCount }
  const startAt = new Date('2999-06-30T12:00:00Z')
  const { cycleNumber, renewedUntil } = periodUpTo(new Date('2025-01-31T00:00:00Z'), startAt, billingInterval, 100n)
  const end = nth(new Date('2025-01-31T00:00:00Z'), billingInterval, cycleNumber + 1)
  expect(renewedUntil).toEqual(end)
  expect(end > startAt && nth(new Date('2025-01-31T00:00:00Z'), billingInterval, cycleNumber) <= startAt).toBe(true)
})
