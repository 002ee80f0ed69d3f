import type { MandateMethod } from '../../subscriptions/rules/index.ts'

/** The payment methods that a buyer can choose, by the API's names. */
export const paymentMethods = ['creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** The mandate that a first payment by a method makes: the account behind iDEAL and Bancontact is debited. */
export const mandateMadeBy: Readonly<Record<PaymentMethod, MandateMethod>> = {
  creditcard: 'card',
  ideal: 'sepa_debit',
  bancontact: 'sepa_debit',
  paypal: 'paypal',
  directdebit: 'sepa_debit',
}
