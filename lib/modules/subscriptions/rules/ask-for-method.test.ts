import { expect, it } from 'vitest'
import { askForMethodAt } from './ask-for-method.ts'

it.each([
  ['a year after the payment', '2028-01-01T00:00:00Z', '2027-01-08T00:00:00Z'],
  ['a month after the payment', '2027-02-01T00:00:00Z', '2027-01-08T00:00:00Z'],
  ['two weeks after the payment', '2027-01-15T00:00:00Z', '2027-01-08T00:00:00Z'],
  ['a week after the payment', '2027-01-08T00:00:00Z', '2027-01-04T12:00:00Z'],
  ['a day after the payment', '2027-01-02T00:00:00Z', '2027-01-01T12:00:00Z'],
  ['immediately after the payment', '2027-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['before the payment', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
])(
  'if the next charge is %s (at %s), a buyer without a payment method is asked for a method at %s',
  (_, nextChargeAt, askedAt) => {
    const at = askForMethodAt(new Date('2027-01-01T00:00:00Z'), new Date(nextChargeAt))
    expect(at).toEqual(new Date(askedAt))
  },
)
