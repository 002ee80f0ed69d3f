import { describe, expect, it } from 'vitest'
import { asFullPeriod } from './carry.ts'
import { secondsBetween } from './period.ts'

const june = (day: number) => new Date(Date.UTC(2025, 5, day))
const seconds = secondsBetween(june(1), june(31))
const between = (from: number, until: number, amount: bigint) => ({ from: june(from), until: june(until), amount })

describe('amounts for parts of a period of thirty days, converted to a full period', () => {
  it.each([
    ['no amount is zero', [], 31, 0n],
    ['an amount for the whole period stays', [between(1, 31, 3_000n)], 31, 3_000n],
    ['an amount for the last ten days triples', [between(21, 31, 1_000n)], 31, 3_000n],
    [
      'an amount for the last ten days adds to one for the whole period',
      [between(21, 31, 500n), between(1, 31, 3_000n)],
      31,
      4_500n,
    ],
    [
      'an amount whose time ended when the next began is not carried over',
      [between(1, 11, 900n), between(11, 31, 2_000n)],
      31,
      3_000n,
    ],
    [
      'the rest of a shortened time is carried over to the next',
      [between(1, 31, 3_000n), between(11, 21, 0n)],
      21,
      6_000n,
    ],
    [
      'the rest of an extended time is spread over the longer time',
      [between(1, 31, 3_000n), between(11, 51, 0n)],
      51,
      1_500n,
    ],
    ['an amount is spread over its time when the end moves', [between(1, 31, 3_000n)], 61, 1_500n],
    ['two amounts that begin at the same time add up', [between(11, 31, -2_000n), between(11, 31, 4_000n)], 31, 3_000n],
    ['a negative amount stays', [between(1, 31, -3_000n)], 31, -3_000n],
    [
      'an amount that was billed ahead and has not begun is carried over in full',
      [{ ...between(31, 61, 3_000n), since: june(1) }, between(1, 31, 0n)],
      31,
      3_000n,
    ],
    [
      'the rest of a time that was billed ahead and shortened is carried over',
      [{ ...between(11, 31, 2_000n), since: june(1) }, between(21, 31, 0n)],
      31,
      3_000n,
    ],
    ['an amount whose time is over is zero', [between(1, 31, 3_000n)], 1, 0n],
  ])('%s', (_, amounts, endDay, expected) => {
    expect(asFullPeriod(amounts, { endAt: june(endDay), seconds })).toBe(expected)
  })

  it('converted amounts are rounded once, however late the last one begins', () => {
    const last = { from: new Date(june(31).getTime() - 1_000), until: june(31), amount: 0n }
    expect(asFullPeriod([between(1, 31, 3_000n), last], { endAt: june(31), seconds })).toBe(3_000n)
  })
})
