import { expect, it } from 'vitest'
import { onceOnlyMethods, paymentMethods, testMethods } from './method.ts'

// Merchants' tests send these values, and orders contain them, so a change breaks clients.
it('the payment methods are exactly the methods of the API', () => {
  expect(testMethods).toEqual(['creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit'])
  expect(paymentMethods).toEqual([...testMethods, ...onceOnlyMethods])
})
