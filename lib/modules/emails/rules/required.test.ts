import { expect, it } from 'vitest'
import { memberEmailKinds } from './email.ts'
import { emailKinds, whyRequired } from './required.ts'

it('only the listed email kinds can be switched off, and each other kind has a reason', () => {
  expect(emailKinds.filter((kind) => whyRequired[kind] === null)).toEqual([
    ...['trial_ending', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'change_undone'],
    ...memberEmailKinds.filter((kind) => !['payout_account_changed', 'access_changed'].includes(kind)),
  ])
  for (const why of Object.values(whyRequired)) if (why !== null) expect(why).toMatch(/^[A-Z].*\.$/)
})
