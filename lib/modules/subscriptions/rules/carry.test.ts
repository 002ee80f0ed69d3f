import { describe, expect, it } from 'vitest'
import { asFullPeriod } from './carry.ts'
import { secondsBetween } from './period.ts'

const june = (day: number) => new Date(Date.UTC(2025, 5, day))
const seconds = secondsBetween(june(1), june(31))
const between = (from: number, until: number, amount: bigint) => ({ from: june(from), until: june(until), amount })

describe('amounts for parts of a period of thirty days, converted to a full period', () => {
  it.each([
    ['the result is zero if there are no amounts', [], 31, 0n],
    ['an amount for the whole period is unchanged', [between(1, 31, 3_000n)], 31, 3_000n],
    ['an amount for the last ten days is tripled', [between(21, 31, 1_000n)], 31, 3_000n],
    [
      'an amount for the last ten days is added to an amount for the whole period',
      [between(21, 31, 500n), between(1, 31, 3_000n)],
      31,
      4_500n,
    ],
    [
      'an amount is not carried over if its time ended before the next amount began',
      [between(1, 11, 900n), between(11, 31, 2_000n)],
      31,
      3_000n,
    ],
    [
      'if the time of an amount is shortened, its unused rest is carried over to the next amount',
      [between(1, 31, 3_000n), between(11, 21, 0n)],
      21,
      6_000n,
    ],
    [
      'if the time of an amount is extended, its unused rest is spread over the longer time',
      [between(1, 31, 3_000n), between(11, 51, 0n)],
      51,
      1_500n,
    ],
    ['an amount is spread over its time if the end of the period moves', [between(1, 31, 3_000n)], 61, 1_500n],
    [
      'two amounts that begin at the same time are added together',
      [between(11, 31, -2_000n), between(11, 31, 4_000n)],
      31,
      3_000n,
    ],
    ['a negative amount is carried over like a positive amount', [between(1, 31, -3_000n)], 31, -3_000n],
    [
      'an amount that was billed ahead is carried over in full if its time has not begun',
      [{ ...between(31, 61, 3_000n), since: june(1) }, between(1, 31, 0n)],
      31,
      3_000n,
    ],
    [
      'the unused rest of an amount that was billed ahead is carried over if its time is shortened',
      [{ ...between(11, 31, 2_000n), since: june(1) }, between(21, 31, 0n)],
      31,
      3_000n,
    ],
    ['an amount counts as zero if its time is over', [between(1, 31, 3_000n)], 1, 0n],
  ])('asFullPeriod() converts amounts for parts of a period to a full period: %s', (_, amounts, endDay, expected) => {
    expect(asFullPeriod(amounts, { endAt: june(endDay), seconds })).toBe(expected)
  })

  it('asFullPeriod() rounds the result exactly once, even if the last amount covers only the last second of the period', () => {
    const last = { from: new Date(june(31).getTime() - 1_000), until: june(31), amount: 0n }
    expect(asFullPeriod([between(1, 31, 3_000n), last], { endAt: june(31), seconds })).toBe(3_000n)
  })
})
