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

/** These methods create no mandate. Live mode offers these methods for one-off products if the provider's account supports them. */
export const onceOnlyMethods = ['banktransfer', 'paybybank'] as const

export const testMethods = ['creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit'] as const
