import { expect, it } from 'vitest'
import { isPublishingDay, publishingDayFrom, publishingDays } from './publishing-days.ts'

it.each([
  ['2026-09-30', true],
  ['2026-10-03', false],
  ['2026-10-04', false],
  ['2026-01-01', false],
  ['2026-05-01', false],
  ['2026-12-24', true],
  ['2026-12-25', false],
  ['2028-12-26', false],
  ['2026-12-31', true],
  // Good Friday and Easter Monday are closing days of TARGET. Whit Monday is not.
  ['2024-03-29', false],
  ['2024-04-01', false],
  ['2026-04-03', false],
  ['2026-04-06', false],
  ['2026-04-02', true],
  ['2026-04-07', true],
  ['2038-04-23', false],
  ['2038-04-26', false],
  ['2026-05-25', true],
])('reference rates are published on %s: %s', (day, published) => {
  expect(isPublishingDay(day)).toBe(published)
})

it.each([
  ['2026-09-30', '2026-09-30'],
  ['2027-12-31', '2027-12-31'],
  ['2028-09-30', '2028-10-02'],
  ['2024-03-29', '2024-04-02'],
])('the first reference rates on or after %s are published on %s', (day, published) => {
  expect(publishingDayFrom(day)).toBe(published)
})

it('the publishing days between two dates exclude weekends and holidays', () => {
  expect(publishingDays('2026-12-24', '2026-12-30')).toEqual(['2026-12-24', '2026-12-28', '2026-12-29'])
  expect(publishingDays('2026-12-25', '2026-12-28')).toEqual([])
})
