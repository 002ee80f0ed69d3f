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
])('the value %j is read as the time zone %j', (value, zone) => {
  expect(readTimeZone(value)).toBe(zone)
})

it.each([
  ['PL', 'Europe/Warsaw'],
  // Busingen, too, which is in Germany.
  ['DE', 'Europe/Berlin'],
  // Madrid and the Canary Islands differ.
  ['ES', null],
  ['US', null],
  ['', null],
  ['XX', null],
  ['de', null],
  ['DEU', null],
])('the country %j has the single time zone %j', (country, zone) => {
  expect(timeZoneIn(country, new Date('2026-12-01T12:00:00Z'))).toBe(zone)
})
