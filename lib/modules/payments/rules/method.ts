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

/** Methods without a mandate: only for one-time products, in live mode, if the provider and its account offer the method. */
export const onceOnlyMethods = ['banktransfer', 'paybybank'] as const

export const testMethods = ['creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit'] as const
