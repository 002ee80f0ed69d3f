import type { testMethods } from '../../modules/payments/rules/method.ts'
import type { MandateMethod } from '../../modules/subscriptions/rules/subscription.ts'

export type TestMethod = (typeof testMethods)[number]

export const testMandates: Readonly<Record<TestMethod, { method: MandateMethod; maskedIdentifier: string }>> = {
  creditcard: { method: 'card', maskedIdentifier: '4242' },
  paypal: { method: 'paypal', maskedIdentifier: 'j***@example.com' },
  ideal: { method: 'sepa_debit', maskedIdentifier: 'NL91****4300' },
  bancontact: { method: 'sepa_debit', maskedIdentifier: 'NL91****4300' },
  directdebit: { method: 'sepa_debit', maskedIdentifier: 'NL91****4300' },
}
