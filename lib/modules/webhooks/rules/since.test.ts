import { expect, it } from 'vitest'
import { parseSince, usualSince } from './since.ts'

const now = new Date('2027-01-31T09:30:20Z')

it.each([
  ['2027-01-31T09:30', '2027-01-31T09:30:00Z'],
  ['2027-01-31T09:30:20', '2027-01-31T09:30:20Z'],
  [' 2027-01-01T09:31 ', '2027-01-01T09:31:00Z'],
])('the entered start time %j of a re-send is parsed as %s', (text, since) => {
  expect(parseSince(text, now)).toEqual(new Date(since))
})

it.each([
  ['in the future', '2027-01-31T09:31'],
  ['more than 30 days ago', '2027-01-01T09:30'],
  ['with an invalid day', '2027-01-32T09:30'],
  ['with an invalid hour', '2027-01-30T24:00'],
  ['with a time zone', '2027-01-30T09:30Z'],
  ['without an hour', '2027-01-30'],
  ['that is empty', ''],
  ['that is not a date', 'yesterday'],
])('the re-send form refuses a start time %s: %j', (_, text) => {
  expect(parseSince(text, now)).toBeNull()
})

it('the re-send form proposes a start time one day ago', () => {
  expect(usualSince(now)).toBe('2027-01-30T09:30')
  expect(parseSince(usualSince(now), now)).toEqual(new Date('2027-01-30T09:30:00Z'))
})
