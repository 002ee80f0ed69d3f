import { expect, test } from 'vitest'
import { paymentMethods } from '../../payments/rules/method.ts'
import { arrivalOf } from './arrival.ts'

test('refunds of a card or wallet arrive there, and refunds of other methods arrive at a bank account', () => {
  const others = paymentMethods.filter((method) => arrivalOf(method) !== 'bank')
  expect(others.toSorted()).toEqual(['creditcard', 'paypal'])
  expect([arrivalOf('creditcard'), arrivalOf('paypal'), arrivalOf('directdebit'), arrivalOf(null)]).toEqual([
    'card',
    'wallet',
    'bank',
    'bank',
  ])
})
