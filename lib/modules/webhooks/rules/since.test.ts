import { expect, it } from 'vitest'
import { parseSince, usualSince } from './since.ts'

const now = new Date('2027-01-31T09:30:20Z')

it.each([
  ['2027-01-31T09:30', '2027-01-31T09:30:00Z'],
  ['2027-01-31T09:30:20', '2027-01-31T09:30:20Z'],
  [' 2027-01-01T09:31 ', '2027-01-01T09:31:00Z'],
])('%j is %s', (text, since) => {
  expect(parseSince(text, now)).toEqual(new Date(since))
})

it.each([
  ['after now', '2027-01-31T09:31'],
  ['more than 30 days ago', '2027-01-01T09:30'],
  ['a day that does not exist', '2027-01-32T09:30'],
  ['a time that does not exist', '2027-01-30T24:00'],
  ['with a zone', '2027-01-30T09:30Z'],
  ['a day alone', '2027-01-30'],
  ['nothing', ''],
  ['no moment', 'yesterday'],
])('%s is refused: %j', (_, text) => {
  expect(parseSince(text, now)).toBeNull()
})

it('proposes the last day, as a field for date and time takes it', () => {
  expect(usualSince(now)).toBe('2027-01-30T09:30')
  expect(parseSince(usualSince(now), now)).toEqual(new Date('2027-01-30T09:30:00Z'))
})
