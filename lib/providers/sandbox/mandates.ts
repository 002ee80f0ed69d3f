import type { PaymentMethod } from '../../modules/checkouts/page.ts'
import type { MandateMethod } from '../../modules/subscriptions/rules/subscription.ts'

/** What a first payment by a method lets a merchant charge later: cards and PayPal themselves; iDEAL, Bancontact and SEPA a direct debit. */
export const testMandates: Readonly<Record<PaymentMethod, { method: MandateMethod; maskedIdentifier: string }>> = {
  creditcard: { method: 'card', maskedIdentifier: '4242' },
  paypal: { method: 'paypal', maskedIdentifier: 'j***@example.com' },
  ideal: { method: 'sepa_debit', maskedIdentifier: 'NL91****4300' },
  bancontact: { method: 'sepa_debit', maskedIdentifier: 'NL91****4300' },
  directdebit: { method: 'sepa_debit', maskedIdentifier: 'NL91****4300' },
}
