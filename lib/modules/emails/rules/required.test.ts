import { expect, it } from 'vitest'
import { memberEmailKinds } from './email.ts'
import { emailKinds, requiredReasons, whyRequired } from './required.ts'

it('only the listed email kinds can be switched off, and each other kind has a reason', () => {
  expect(emailKinds.filter((kind) => whyRequired[kind] === null)).toEqual([
    ...['trial_ending', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'change_undone'],
    ...memberEmailKinds.filter((kind) => !['payout_account_changed', 'access_changed'].includes(kind)),
  ])
})

it('each reason for a required email is a sentence, and at least one email kind has this reason', () => {
  for (const sentence of Object.values(requiredReasons)) expect(sentence).toMatch(/^[A-Z].*\.$/)
  const used = new Set(Object.values(whyRequired).filter((reason) => reason !== null))
  expect([...used].sort()).toEqual(Object.keys(requiredReasons).sort())
})
