import { expect, it } from 'vitest'
import { askForMethodAt } from './ask-for-method.ts'

it.each([
  ['a year', '2028-01-01T00:00:00Z', '2027-01-08T00:00:00Z'],
  ['a month', '2027-02-01T00:00:00Z', '2027-01-08T00:00:00Z'],
  ['two weeks', '2027-01-15T00:00:00Z', '2027-01-08T00:00:00Z'],
  ['a week', '2027-01-08T00:00:00Z', '2027-01-04T12:00:00Z'],
  ['a day', '2027-01-02T00:00:00Z', '2027-01-01T12:00:00Z'],
  ['at the moment', '2027-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['some time before', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
])(
  'a buyer with the next charge %s after the payment is asked for a method before that charge',
  (_, nextChargeAt, askedAt) => {
    const at = askForMethodAt(new Date('2027-01-01T00:00:00Z'), new Date(nextChargeAt))
    expect(at).toEqual(new Date(askedAt))
  },
)
