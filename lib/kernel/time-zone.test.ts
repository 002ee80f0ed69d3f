import { expect, it } from 'vitest'
import { readTimeZone } from './time-zone.ts'

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
])('%j is the time zone %j', (value, zone) => {
  expect(readTimeZone(value)).toBe(zone)
})
