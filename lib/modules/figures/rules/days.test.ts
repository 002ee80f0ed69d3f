import { expect, it } from 'vitest'
import { dayOf, daysAfter, daysBetween, lastClosedDay, laterDay, startOf } from './days.ts'

it('days are UTC days', () => {
  expect(dayOf(new Date('2027-01-31T23:59:59Z'))).toBe('2027-01-31')
  expect(startOf('2027-02-01').toISOString()).toBe('2027-02-01T00:00:00.000Z')
})

it('days are counted across months and leap days', () => {
  expect(daysAfter('2028-02-28', 2)).toBe('2028-03-01')
  expect(daysAfter('2027-01-01', -1)).toBe('2026-12-31')
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2)
  expect(laterDay('2027-01-31', '2027-02-01')).toBe('2027-02-01')
})

it('a day is closed ten minutes after its end', () => {
  expect(lastClosedDay(new Date('2027-02-01T00:09:59Z'))).toBe('2027-01-30')
  expect(lastClosedDay(new Date('2027-02-01T00:10:00Z'))).toBe('2027-01-31')
})
