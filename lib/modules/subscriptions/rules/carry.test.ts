import { describe, expect, it } from 'vitest'
import { asFullPeriod } from './carry.ts'
import { secondsBetween } from './period.ts'

const june = (day: number) => new Date(Date.UTC(2025, 5, day))
const seconds = secondsBetween(june(1), june(31))
const between = (from: number, until: number, amount: bigint) => ({ from: june(from), until: june(until), amount })

describe('amounts for parts of a period of thirty days, as a full one', () => {
  it.each([
    ['nothing', [], 31, 0n],
    ['all of it', [between(1, 31, 3_000n)], 31, 3_000n],
    ['its last ten days', [between(21, 31, 1_000n)], 31, 3_000n],
    ['all of it, and the last ten days', [between(21, 31, 500n), between(1, 31, 3_000n)], 31, 4_500n],
    ['a time that was over when the next began', [between(1, 11, 900n), between(11, 31, 2_000n)], 31, 3_000n],
    [
      'a time that was cut: what is left continues with the next',
      [between(1, 31, 3_000n), between(11, 21, 0n)],
      21,
      6_000n,
    ],
    ['a time that was stretched', [between(1, 31, 3_000n), between(11, 51, 0n)], 51, 1_500n],
    ['a time whose end moved without another amount', [between(1, 31, 3_000n)], 61, 1_500n],
    ['two amounts from one moment on', [between(11, 31, -2_000n), between(11, 31, 4_000n)], 31, 3_000n],
    ['less than nothing', [between(1, 31, -3_000n)], 31, -3_000n],
    [
      'a time that was billed ahead and has not begun: all of it continues with the next',
      [{ ...between(31, 61, 3_000n), since: june(1) }, between(1, 31, 0n)],
      31,
      3_000n,
    ],
    [
      'a time that was billed ahead, has begun and was cut',
      [{ ...between(11, 31, 2_000n), since: june(1) }, between(21, 31, 0n)],
      31,
      3_000n,
    ],
    ['a time that is over', [between(1, 31, 3_000n)], 1, 0n],
  ])('%s', (_, amounts, endDay, expected) => {
    expect(asFullPeriod(amounts, { endAt: june(endDay), seconds })).toBe(expected)
  })

  it('are rounded once, however late the last of them begins', () => {
    const last = { from: new Date(june(31).getTime() - 1_000), until: june(31), amount: 0n }
    expect(asFullPeriod([between(1, 31, 3_000n), last], { endAt: june(31), seconds })).toBe(3_000n)
  })
})
