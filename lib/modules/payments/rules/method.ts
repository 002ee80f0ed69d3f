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
