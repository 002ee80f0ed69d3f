import { expect, it } from 'vitest'
import { dayOf, daysAfter, daysBetween, lastClosedDay, laterDay, startOf } from './days.ts'

it('dayOf() and startOf() use UTC', () => {
  expect(dayOf(new Date('2027-01-31T23:59:59Z'))).toBe('2027-01-31')
  expect(startOf('2027-02-01').toISOString()).toBe('2027-02-01T00:00:00.000Z')
})

it('daysAfter() and daysBetween() cross the end of a month, the end of a year, and a leap day', () => {
  expect(daysAfter('2028-02-28', 2)).toBe('2028-03-01')
  expect(daysAfter('2027-01-01', -1)).toBe('2026-12-31')
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2)
  expect(laterDay('2027-01-31', '2027-02-01')).toBe('2027-02-01')
})

it('the figures of a day are closed ten minutes after the end of the day', () => {
  expect(lastClosedDay(new Date('2027-02-01T00:09:59Z'))).toBe('2027-01-30')
  expect(lastClosedDay(new Date('2027-02-01T00:10:00Z'))).toBe('2027-01-31')
})
