import { expect, it } from 'vitest'
import { memberEmailKinds } from '../../emails/rules/email.ts'
import { roles } from './access.ts'
import { notified } from './notified.ts'

it('each kind of email to members is sent to the listed roles and to no other roles', () => {
  const table = memberEmailKinds.map((kind) => [kind, roles.filter((role) => notified[kind].includes(role)).join(' ')])
  expect(Object.fromEntries(table)).toEqual({
    review_decided: 'owner developer',
    endpoint_disabled: 'owner developer',
    chargeback_received: 'owner support accountant',
    payout_created: 'owner accountant',
    payout_returned: 'owner accountant',
    payout_account_changed: 'owner',
    renewal_uncollectable: 'owner support',
    withdrawal_declared: 'owner support accountant',
    access_changed: 'owner',
  })
})
