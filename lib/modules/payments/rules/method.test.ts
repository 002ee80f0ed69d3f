import { expect, it } from 'vitest'
import { paymentMethods } from './method.ts'

// Merchants automate the form in their own tests, and orders carry these values.
it('the payment methods are the API’s', () => {
  expect(paymentMethods).toEqual(['creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit'])
})
