import { expect, it } from 'vitest'
import { askForMethodAt } from './ask-for-method.ts'

it.each([
  ['a year', '2028-01-01T00:00:00Z', '2027-01-08T00:00:00Z'],
  ['a month', '2027-02-01T00:00:00Z', '2027-01-08T00:00:00Z'],
  ['two weeks', '2027-01-15T00:00:00Z', '2027-01-08T00:00:00Z'],
  ['a week', '2027-01-08T00:00:00Z', '2027-01-04T12:00:00Z'],
  ['a day', '2027-01-02T00:00:00Z', '2027-01-01T12:00:00Z'],
  ['no time', '2027-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['less than no time', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
])('a buyer whose next charge is %s after the payment is asked before it', (_, nextChargeAt, askedAt) => {
  const at = askForMethodAt(new Date('2027-01-01T00:00:00Z'), new Date(nextChargeAt))
  expect(at).toEqual(new Date(askedAt))
})
