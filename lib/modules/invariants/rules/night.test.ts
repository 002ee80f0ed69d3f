import { expect, it } from 'vitest'
import { dayOf, nextNight } from './night.ts'

it.each([
  ['2026-11-20T01:59:59.999Z', '2026-11-20T02:00:00.000Z'],
  ['2026-11-20T02:00:00.000Z', '2026-11-21T02:00:00.000Z'],
  ['2026-11-20T02:00:04.200Z', '2026-11-21T02:00:00.000Z'],
  ['2026-12-31T23:59:59.000Z', '2027-01-01T02:00:00.000Z'],
  ['2027-03-28T02:00:00.000Z', '2027-03-29T02:00:00.000Z'],
  ['2028-02-28T12:00:00.000Z', '2028-02-29T02:00:00.000Z'],
])('the next nightly check after %s is at %s', (after, night) => {
  expect(nextNight(new Date(after)).toISOString()).toBe(night)
})

it('dayOf returns the UTC date of a nightly check', () => {
  expect(dayOf(new Date('2026-11-20T23:59:59.999Z'))).toBe('2026-11-20')
})
