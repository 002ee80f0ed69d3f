import { expect, it } from 'vitest'
import { onceOnlyMethods, paymentMethods, testMethods } from './method.ts'

// Merchants automate the form in their own tests, and orders carry these values.
it('the payment methods are those of the API', () => {
  expect(testMethods).toEqual(['creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit'])
  expect(paymentMethods).toEqual([...testMethods, ...onceOnlyMethods])
})
