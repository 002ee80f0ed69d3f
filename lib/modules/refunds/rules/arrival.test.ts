import { expect, test } from 'vitest'
import { paymentMethods } from '../../payments/rules/method.ts'
import { arrivalOf } from './arrival.ts'

test('a card and a wallet get the money of a refund themselves, and other methods at the bank account', () => {
  const others = paymentMethods.filter((method) => arrivalOf(method) !== 'bank')
  expect(others.toSorted()).toEqual(['creditcard', 'paypal'])
  expect([arrivalOf('creditcard'), arrivalOf('paypal'), arrivalOf('directdebit'), arrivalOf(null)]).toEqual([
    'card',
    'wallet',
    'bank',
    'bank',
  ])
})
