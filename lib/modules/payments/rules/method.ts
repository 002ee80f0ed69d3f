import type { MandateMethod } from '../../subscriptions/rules/index.ts'

/** The payment methods of the service, by the API's names. */
export const paymentMethods = [
  'creditcard',
  'ideal',
  'bancontact',
  'paypal',
  'directdebit',
  'banktransfer',
  'paybybank',
] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** The methods that make no mandate: they pay what is sold once, in live mode, where the provider and its account offer them. */
export const onceOnlyMethods = ['banktransfer', 'paybybank'] as const

/** The methods of test mode. */
export const testMethods = ['creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit'] as const

/** The mandate that a first payment by a method makes: the account behind iDEAL and Bancontact is debited. Null for none. */
export const mandateMadeBy: Readonly<Record<PaymentMethod, MandateMethod | null>> = {
  creditcard: 'card',
  ideal: 'sepa_debit',
  bancontact: 'sepa_debit',
  paypal: 'paypal',
  directdebit: 'sepa_debit',
  banktransfer: null,
  paybybank: null,
}
