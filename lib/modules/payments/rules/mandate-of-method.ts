import type { MandateMethod } from '../../subscriptions/rules/index.ts'
import type { PaymentMethod } from './method.ts'

/** Null means that the method creates no mandate. iDEAL and Bancontact create a direct debit mandate. */
export const mandateMadeBy: Readonly<Record<PaymentMethod, MandateMethod | null>> = {
  creditcard: 'card',
  ideal: 'sepa_debit',
  bancontact: 'sepa_debit',
  paypal: 'paypal',
  directdebit: 'sepa_debit',
  banktransfer: null,
  paybybank: null,
}
