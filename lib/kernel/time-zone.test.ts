import { expect, it } from 'vitest'
import { readTimeZone, timeZoneIn } from './time-zone.ts'

it.each([
  ['Europe/Warsaw', 'Europe/Warsaw'],
  ['America/New_York', 'America/New_York'],
  ['europe/warsaw', 'Europe/Warsaw'],
  ['UTC', 'UTC'],
  [null, null],
  ['', null],
  ['+02:00', null],
  ['Europe/Atlantis', null],
  ['Europe/Warsaw\n', null],
  ['a'.repeat(10_000), null],
  ['<script>', null],
])('readTimeZone(%j) returns %j', (value, zone) => {
  expect(readTimeZone(value)).toBe(zone)
})

it.each([
  ['PL', 'Europe/Warsaw'],
  // Büsingen, a German town within Switzerland, has its own time zone, but the same time as Berlin.
  ['DE', 'Europe/Berlin'],
  // Madrid and the Canary Islands have different time zones.
  ['ES', null],
  ['US', null],
  ['', null],
  ['XX', null],
  ['de', null],
  ['DEU', null],
])('timeZoneIn(%j) returns the only time zone of the country, or null: %j', (country, zone) => {
  expect(timeZoneIn(country, new Date('2026-12-01T12:00:00Z'))).toBe(zone)
})
