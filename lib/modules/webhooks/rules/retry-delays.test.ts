import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextWait, retryAfterSeconds, waits } from './retry-delays.ts'

const [minute, hour] = [60, 3600]
const promised = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

describe('schedule', () => {
  it('a webhook delivery has ten attempts in about three days, at the documented intervals', () => {
    expect([...waits]).toEqual(promised)
    expect(promised.map((_, index) => nextWait(index + 1, 0, null))).toEqual(promised)
    expect(nextWait(10, 0, null)).toBeNull()
  })

  it('jitter adds up to 10 % to the wait between two webhook attempts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failed, chance) => {
          const exact = promised[failed - 1] ?? 0
          const wait = nextWait(failed, chance, null) ?? 0
          expect(wait).toBeGreaterThanOrEqual(exact)
          expect(wait).toBeLessThanOrEqual(exact * 1.1)
          expect(Number.isInteger(wait)).toBe(true)
        },
      ),
    )
  })

  it.each([
    [1, 120, 120],
    [1, 2, 5],
    [1, 12, 12],
    [3, 10, 30 * minute],
    [1, 24 * hour + 1, 24 * hour],
    [1, Number.POSITIVE_INFINITY, 24 * hour],
    [10, 120, null],
  ])('after %i failed webhook attempts with Retry-After %d, the wait is %s seconds', (failed, retryAfter, expected) => {
    expect(nextWait(failed, 0, retryAfter)).toBe(expected)
  })

  it('the wait after a failed webhook attempt is the longer of the schedule and Retry-After, plus at most 10 %', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 24 * hour }),
        (failed, chance, asked) => {
          const wait = nextWait(failed, chance, asked) ?? 0
          const exact = Math.max(asked, promised[failed - 1] ?? 0)
          expect(wait).toBeGreaterThanOrEqual(exact)
          expect(wait).toBeLessThanOrEqual(exact * 1.1)
        },
      ),
    )
    expect(nextWait(1, 0.999, 120)).toBe(131)
  })
})

describe('Retry-After', () => {
  const now = new Date('2026-11-20T10:00:00Z')

  it.each([
    [null, null],
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['Fri, 20 Nov 2026 10:02:00 GMT', 120],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    ['-5', null],
    ['1.5', null],
    ['99999999999', 99_999_999_999],
    ['9'.repeat(1000), Number.POSITIVE_INFINITY],
    ['2026-11-20', null],
    ['Fri, 20 Nov 2026 10:02:00.5 GMT', null],
    ['Fri, 20 Nov 2026 10:02:00 +0100', null],
    ['Fri, 20 Nov 2026 24:00:00 GMT', null],
    ['Mon, 30 Feb 2027 10:00:00 GMT', null],
    ['Fri, 20 Foo 2026 10:02:00 GMT', null],
    ['Friday, 20-Nov-26 10:02:00 GMT', 120],
    ['Friday, 20-Nov-99 10:02:00 GMT', 0],
    ['Fri Nov 20 10:02:00 2026', 120],
    ['Sat Nov  1 10:00:00 2026', 0],
    ['Tue Dec  1 10:00:00 2026', 11 * 24 * hour],
    ['Fri Nov 20 10:02:00', null],
  ])('the header Retry-After: %s means %s seconds', (header, expected) => {
    expect(retryAfterSeconds(header, now)).toBe(expected)
  })

  it('the delay until a date in Retry-After is rounded up to whole seconds', () => {
    expect(retryAfterSeconds('Fri, 20 Nov 2026 10:02:00 GMT', new Date('2026-11-20T10:00:00.400Z'))).toBe(120)
  })

  it('the parser of Retry-After never throws and never returns a negative delay', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const seconds = retryAfterSeconds(header, now)
        expect(seconds === null || seconds >= 0).toBe(true)
      }),
    )
  })
})
