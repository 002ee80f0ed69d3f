import { expect, test } from 'vitest'
import { paymentMethods } from '../../payments/rules/method.ts'
import { arrivalOf } from './arrival.ts'

test('refunds arrive on the card or in the wallet that paid, and otherwise on a bank account', () => {
  const others = paymentMethods.filter((method) => arrivalOf(method) !== 'bank')
  expect(others.toSorted()).toEqual(['creditcard', 'paypal'])
  expect([arrivalOf('creditcard'), arrivalOf('paypal'), arrivalOf('directdebit'), arrivalOf(null)]).toEqual([
    'card',
    'wallet',
    'bank',
    'bank',
  ])
})
