import { describe, expect, it } from 'vitest'
import { intervalCountProblem } from './interval.ts'

describe('interval limits', () => {
  it.each([
    ['day', 365],
    ['week', 52],
    ['month', 12],
  ] as const)('a billing interval in %ss has a count of at most %i', (interval, most) => {
    expect(intervalCountProblem(interval, most, { testmode: true })).toBeNull()
    expect(intervalCountProblem(interval, most + 1, { testmode: true })).toEqual({
      field: 'intervalCount',
      problem: expect.objectContaining({ rule: 'interval_count', values: { most, interval } }),
    })
  })

  it('a yearly billing interval ignores the count', () => {
    expect(intervalCountProblem('year', 999, { testmode: false })).toBeNull()
  })

  it('a daily billing interval exists in test mode only', () => {
    expect(intervalCountProblem('day', 1, { testmode: false })).toMatchObject({ field: 'interval' })
  })
})
