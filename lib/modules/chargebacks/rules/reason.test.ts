import { expect, it } from 'vitest'
import { chargebackReasons, reasonText } from './reason.ts'

it.each([
  ['fraud', '(fraud)'],
  ['chargeback', '(general)'],
  ['check_returned', 'Check returned'],
  ['Omkering door de bank', 'Omkering door de bank'],
  ['constructor', 'Constructor'],
  ['AM04', 'AM04'],
])('the chargeback reason %s is shown as %s', (reason, text) => {
  expect(reasonText(reason, (known) => `(${known})`)).toBe(text)
})

it('the chargeback reasons include the reason that test mode uses, and the reason for a returned direct debit', () => {
  for (const reason of ['fraud', 'insufficient_funds']) expect(chargebackReasons).toContain(reason)
})
