import type { MemberEmailKind } from '../../emails/rules/email.ts'
import type { Role } from './access.ts'

/** The roles that get each kind of email: roles that can act on the reported event, or that do the accounting. */
export const notified: Readonly<Record<MemberEmailKind, readonly Role[]>> = {
  review_decided: ['owner', 'developer'],
  endpoint_disabled: ['owner', 'developer'],
  chargeback_received: ['owner', 'support', 'accountant'],
  payout_created: ['owner', 'accountant'],
  payout_returned: ['owner', 'accountant'],
  payout_account_changed: ['owner'],
  renewal_uncollectable: ['owner', 'support'],
  withdrawal_declared: ['owner', 'support', 'accountant'],
  access_changed: ['owner'],
}
