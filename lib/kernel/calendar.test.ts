import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDuration,
  cycleStart,
  dayAfter,
  endOfDay,
  type Interval,
  intervals,
  parseDuration,
  parseTypedDuration,
} from './calendar.ts'
import { endOfTime, toWire } from './moment.ts'

describe('billing periods', () => {
  const table: [name: string, anchor: string, Interval, intervalCount: number, next: string[]][] = [
    ['31 January', '2025-01-31T10:15:30Z', 'month', 1, ['02-28', '03-31', '04-30', '05-31', '06-30', '07-31']],
    ['31 January of a leap year', '2024-01-31T00:00:00Z', 'month', 1, ['02-29', '03-31', '04-30']],
    ['29 February', '2024-02-29T00:00:00Z', 'year', 1, ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
    ['30 November by quarters', '2025-11-30T23:59:59Z', 'month', 3, ['02-28', '05-30', '08-30', '11-30']],
    ['the night that Europe loses an hour', '2025-03-30T01:30:00Z', 'month', 1, ['04-30', '05-30']],
    ['weeks', '2025-06-03T09:00:00Z', 'week', 1, ['06-10', '06-17', '06-24']],
    ['the night that Europe gains an hour', '2025-10-26T00:30:00Z', 'day', 1, ['10-27', '10-28']],
    [
      'twelve months as a year',
      '2024-02-29T00:00:00Z',
      'month',
      12,
      ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    ['365 days', '2024-02-29T12:00:00Z', 'day', 365, ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-28']],
  ]
  test.each(table)('billing periods keep the day of their anchor: %s', (_, anchor, interval, intervalCount, next) => {
    const starts = next.map((__, i) => toWire(cycleStart(new Date(anchor), interval, intervalCount, i + 1)))
    const time = anchor.slice(10)
    expect(starts.map((start) => start.slice(10))).toEqual(next.map(() => time))
    expect(starts.map((start, i) => start.slice(0, 10).slice(-(next[i] ?? '').length))).toEqual(next)
  })

  test('the first billing period begins at the anchor, and each later period begins after the previous period', () => {
    const anchors = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(
        anchors,
        fc.constantFrom(...intervals),
        fc.integer({ min: 1, max: 12 }),
        (anchor, interval, count) => {
          expect(cycleStart(anchor, interval, count, 0)).toEqual(anchor)
          for (let n = 0; n < 48; n++) {
            const start = cycleStart(anchor, interval, count, n)
            expect(start < cycleStart(anchor, interval, count, n + 1)).toBe(true)
            expect(start.getUTCDate() <= anchor.getUTCDate() || interval === 'day' || interval === 'week').toBe(true)
            expect(start.getTime() % 86_400_000).toBe(anchor.getTime() % 86_400_000)
          }
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('durations', () => {
  const from = new Date('2026-01-31T12:00:00Z')

  test.each([
    ['P1M', '2026-02-28T12:00:00Z'],
    ['PT25H', '2026-02-01T13:00:00Z'],
    ['P1Y2M3DT4H', '2027-04-03T16:00:00Z'],
    ['P2W', '2026-02-14T12:00:00Z'],
    ['P1M1W1D', '2026-03-08T12:00:00Z'],
    ['PT1H2M3S', '2026-01-31T13:02:03Z'],
    ['PT90S', '2026-01-31T12:01:30Z'],
    ['P0D', '2026-01-31T12:00:00Z'],
    ['P973Y', '2999-01-31T12:00:00Z'],
  ])('adding the duration %s to 2026-01-31T12:00:00Z gives %s', (text, later) => {
    const duration = parseDuration(text)
    const moment = duration && addDuration(from, duration)
    expect(moment && toWire(moment)).toBe(later)
    expect(parseTypedDuration(text)).toEqual(duration)
  })

  test.each([
    ['10s', '2026-01-31T12:00:10Z'],
    ['90m', '2026-01-31T13:30:00Z'],
    ['25h', '2026-02-01T13:00:00Z'],
    ['30d', '2026-03-02T12:00:00Z'],
    ['2w', '2026-02-14T12:00:00Z'],
  ])('adding the duration %s, entered on a command line, to 2026-01-31T12:00:00Z gives %s', (text, later) => {
    const duration = parseTypedDuration(text)
    const moment = duration && addDuration(from, duration)
    expect(moment && toWire(moment)).toBe(later)
    expect(parseDuration(text)).toBeNull()
  })

  test.each([
    '',
    'P',
    'PT',
    'P1',
    'P1YT',
    '1D',
    '-P1D',
    '+P1D',
    'P-1D',
    'p1d',
    'P1.5D',
    'PT0.5S',
    'P1D1M',
    'PT1D',
    'P1H',
    'P1D ',
    '25',
    '25H',
    '-5h',
    '1.5h',
    '1h30m',
    '1y',
    'P9999999999Y',
  ])('%j is not a duration', (text) => {
    expect(parseTypedDuration(text)).toBeNull()
  })

  test.each(['P974Y', 'P999999999Y', 'PT999999999H', 'P999999999D'])(
    'adding the duration %s to 2026-01-31T12:00:00Z returns null, because the result is after the last supported time',
    (text) => {
      expect(addDuration(from, parseDuration(text) ?? {})).toBeNull()
    },
  )

  test('adding a duration may give exactly the last supported time', () => {
    expect(addDuration(new Date(endOfTime.getTime() - 1000), { seconds: 1 })).toEqual(endOfTime)
    expect(addDuration(endOfTime, { seconds: 1 })).toBeNull()
  })
})

describe('days of a time zone', () => {
  test.each([
    ['2026-12-20T23:30:00Z', 0, 'UTC', '2026-12-20'],
    ['2026-12-20T23:30:00Z', 0, 'Europe/Warsaw', '2026-12-21'],
    ['2026-12-20T23:30:00Z', 14, 'Europe/Warsaw', '2027-01-04'],
    ['2026-12-20T04:30:00Z', 1, 'America/New_York', '2026-12-20'],
  ])('at %s plus %s days, the date in %s is %s', (moment, days, timeZone, day) => {
    expect(dayAfter(new Date(moment), days, timeZone)).toBe(day)
  })

  test.each([
    ['2026-12-04', 'UTC', '2026-12-05T00:00:00.000Z'],
    ['2026-12-04', 'Europe/Berlin', '2026-12-04T23:00:00.000Z'],
    ['2027-03-28', 'Europe/Berlin', '2027-03-28T22:00:00.000Z'],
    ['2026-12-31', 'America/New_York', '2027-01-01T05:00:00.000Z'],
  ])('the day %s in the time zone %s ends at %s', (day, timeZone, end) => {
    expect(endOfDay(day, timeZone).toISOString()).toBe(end)
  })
})
