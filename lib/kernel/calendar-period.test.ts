import { describe, expect, it } from 'vitest'
import { lastDayOf, lastDayOfRange, monthsFrom, periodOf, quartersOf, rangeOf } from './calendar-period.ts'

describe('a calendar period', () => {
  it.each([
    ['2026', '2026-01-01', '2027-01-01', '2026-12-31'],
    ['2026-Q1', '2026-01-01', '2026-04-01', '2026-03-31'],
    ['2026-Q4', '2026-10-01', '2027-01-01', '2026-12-31'],
    ['2026-12', '2026-12-01', '2027-01-01', '2026-12-31'],
    ['2028-02', '2028-02-01', '2028-03-01', '2028-02-29'],
  ])('the period %s begins at %s and ends before %s; its last day is %s', (name, from, until, last) => {
    expect(periodOf(name)).toEqual({
      name,
      from: new Date(`${from}T00:00:00Z`),
      until: new Date(`${until}T00:00:00Z`),
    })
    expect(lastDayOf(name)).toBe(last)
  })

  it.each(['', '2026-', '20266', '2026-Q0', '2026-Q5', '2026-00', '2026-13', '2026-1', '26-Q1', '2026-Q1 ', '1999-Q1'])(
    '"%s" is not the name of a calendar period',
    (name) => {
      expect(periodOf(name)).toBeNull()
      expect(() => lastDayOf(name)).toThrow(RangeError)
    },
  )
})

describe('the months of a range, newest first', () => {
  const at = (day: string) => new Date(`${day}T12:00:00Z`)
  it.each([
    ['2026-12-31', '2027-02-01', 24, ['2027-02', '2027-01', '2026-12']],
    ['2026-12-01', '2026-12-31', 24, ['2026-12']],
    ['2026-01-01', '2026-12-31', 2, ['2026-12', '2026-11']],
    ['2027-01-01', '2026-12-31', 24, []],
  ])('monthsFrom() lists the months from %s to %s, at most %i', (first, last, most, months) => {
    expect(monthsFrom(at(first), at(last), most)).toEqual(months)
  })
})

describe('a range of days', () => {
  it.each([
    ['2026-10-01--2026-12-31', '2026-10-01', '2027-01-01'],
    ['2026-12-31--2026-12-31', '2026-12-31', '2027-01-01'],
    ['2028-01-01--2028-12-31', '2028-01-01', '2029-01-01'],
    ['2026-Q4', '2026-10-01', '2027-01-01'],
  ])('the range %s begins at %s and ends before %s', (name, from, until) => {
    const range = rangeOf(name)
    expect(range).toEqual({ name, from: new Date(`${from}T00:00:00Z`), until: new Date(`${until}T00:00:00Z`) })
    expect(range && new Date(`${lastDayOfRange(range)}T00:00:00Z`).getTime()).toBe(Date.parse(until) - 86_400_000)
  })

  it.each([
    '',
    '2026-10-01',
    '2026-12-31--2026-12-30',
    '2026-02-30--2026-03-01',
    '2026-01-01--2027-01-02',
    'null--null',
  ])('"%s" is not the name of a range of days', (name) => expect(rangeOf(name)).toBeNull())

  it('quartersOf() lists the quarters of the given months in the same order, without duplicates', () => {
    expect(quartersOf(['2027-01', '2026-12', '2026-11', '2026-09'])).toEqual(['2027-Q1', '2026-Q4', '2026-Q3'])
  })
})
