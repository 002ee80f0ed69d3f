/** The payment methods that a buyer can choose, by the API's names. */
export const paymentMethods = ['creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit'] as const
export type PaymentMethod = (typeof paymentMethods)[number]
