import { describe, expect, it } from 'vitest'
import { monthsUpTo, subscriptionsByMonth } from './by-month.ts'

describe('months', () => {
  it.each([
    ['2027-03-31T23:59:59Z', 3, ['2027-01', '2027-02', '2027-03']],
    ['2027-01-01T00:00:00Z', 2, ['2026-12', '2027-01']],
    ['2024-02-29T12:00:00Z', 13, expect.arrayContaining(['2023-02', '2024-02'])],
  ])('the list of months up to %s ends with the month of that time', (moment, count, months) => {
    expect(monthsUpTo(new Date(moment), count)).toEqual(months)
    expect(monthsUpTo(new Date(moment), count)).toHaveLength(count)
  })

  it('months are counted back from the subscriptions that run now', () => {
    const started = new Map([
      ['2027-01', 4],
      ['2027-03', 2],
    ])
    const ended = new Map([['2027-02', 1]])
    expect(
      subscriptionsByMonth(['2027-01', '2027-02', '2027-03'], { running: 10, started, ended, lost: ended }),
    ).toEqual([
      { month: '2027-01', atBeginning: 5, started: 4, ended: 0, churn: 0 },
      { month: '2027-02', atBeginning: 9, started: 0, ended: 1, churn: 1 / 9 },
      { month: '2027-03', atBeginning: 8, started: 2, ended: 0, churn: 0 },
    ])
  })

  it('churn is the share of the subscriptions at the beginning of a month that ended in that month', () => {
    const [started, ended, lost] = [new Map([['2027-01', 5]]), new Map([['2027-01', 4]]), new Map([['2027-01', 1]])]
    expect(subscriptionsByMonth(['2027-01'], { running: 3, started, ended, lost })).toEqual([
      { month: '2027-01', atBeginning: 2, started: 5, ended: 4, churn: 0.5 },
    ])
  })

  it('a month that began without subscriptions has no churn', () => {
    const [started, ended] = [new Map([['2027-01', 1]]), new Map([['2027-01', 1]])]
    const moves = { running: 0, started, ended, lost: new Map() }
    expect(subscriptionsByMonth(['2027-01'], moves)).toEqual([
      { month: '2027-01', atBeginning: 0, started: 1, ended: 1, churn: null },
    ])
  })
})
