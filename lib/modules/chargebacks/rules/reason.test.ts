import { expect, it } from 'vitest'
import { chargebackReasons, reasonText } from './reason.ts'

it.each([
  ['fraud', '(fraud)'],
  ['chargeback', '(general)'],
  ['check_returned', 'Check returned'],
  ['Omkering door de bank', 'Omkering door de bank'],
  ['constructor', 'Constructor'],
  ['AM04', 'AM04'],
])('the reason %s reads: %s', (reason, text) => {
  expect(reasonText(reason, (known) => `(${known})`)).toBe(text)
})

it('has a text for what our own test mode and a returned debit say', () => {
  for (const reason of ['fraud', 'insufficient_funds']) expect(chargebackReasons).toContain(reason)
})
