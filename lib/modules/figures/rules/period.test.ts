import { expect, it } from 'vitest'
import { figureDay } from './figure-day.ts'
import { noMovements } from './movements.ts'
import { churnRate, largest, periodsOf } from './period.ts'

const first = figureDay({
  day: '2027-01-02',
  currency: 'EUR',
  before: { closingMrr: 500n, closingSubscribers: 1, plans: new Map() },
  moved: { ...noMovements, new: 1000n, newSubscribers: 2 },
  posted: [{ day: '2027-01-02', currency: 'EUR', kind: 'order', country: 'DE', net: 3000n, orders: 1 }],
  ended: [],
})
const second = figureDay({
  day: '2027-01-04',
  currency: 'EUR',
  before: first,
  moved: { ...noMovements, churn: 500n, churnedSubscribers: 1, contraction: 100n },
  posted: [{ day: '2027-01-04', currency: 'EUR', kind: 'refund', country: 'DE', net: -1000n, orders: 0 }],
  ended: [],
})
const part = (from: string, to: string) => ({ from: `2027-01-${from}`, to: `2027-01-${to}` })

it('a period without a change closes with the figures of the previous period', () => {
  const periods = periodsOf([first, second], [part('01', '01'), part('02', '03'), part('04', '05'), part('06', '06')], {
    closingMrr: 500n,
    closingSubscribers: 1,
  })
  expect(
    periods.map(({ netRevenue, closingMrr, closingSubscribers }) => [netRevenue, closingMrr, closingSubscribers]),
  ).toEqual([
    [0n, 500n, 1],
    [3000n, 1500n, 3],
    [-1000n, 900n, 2],
    [0n, 900n, 2],
  ])
  expect(periods[2]).toMatchObject({ churn: 500n, contraction: 100n, openingSubscribers: 3, churnedSubscribers: 1 })
})

it('churn is the share of the opening subscribers who left during the period', () => {
  expect([churnRate(4, 1), churnRate(0, 1)]).toEqual([0.25, null])
})

it('largest() sums each plan or country over all days, and returns the largest sums first', () => {
  const days = [
    new Map([
      ['DE', 5n],
      ['NL', 3n],
    ]),
    new Map([
      ['NL', 4n],
      ['FR', -1n],
    ]),
  ]
  expect(largest(days, 2)).toEqual([
    ['NL', 7n],
    ['DE', 5n],
  ])
  expect(largest([new Map([['switched', 1]]), new Map([['switched', 2]])], 5)).toEqual([['switched', 3]])
})
