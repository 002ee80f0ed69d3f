import { expect, it } from 'vitest'
import { testMethods } from '../../modules/payments/rules/method.ts'
import { testMandates } from './mandates.ts'

it.each([
  ['creditcard', 'card', '4242'],
  ['paypal', 'paypal', 'j***@example.com'],
  ['ideal', 'sepa_debit', 'NL91****4300'],
  ['bancontact', 'sepa_debit', 'NL91****4300'],
  ['directdebit', 'sepa_debit', 'NL91****4300'],
] as const)(
  'a first test payment by %s sets up a mandate of the type %s with the masked identifier %s',
  (method, mandate, maskedIdentifier) => {
    expect(testMandates[method]).toEqual({ method: mandate, maskedIdentifier })
  },
)

it('every test payment method sets up a mandate', () => {
  expect(Object.keys(testMandates).sort()).toEqual([...testMethods].sort())
})
