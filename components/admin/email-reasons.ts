import type { EmailKindRow } from '@/lib/modules/emails/page.ts'
import type { AdminKey } from './text.ts'

/** Message keys for the reason why an email kind cannot be switched off. The messages translate `lib/modules/emails/rules/required.ts`. */
export const emailReasons: { readonly [Kind in EmailKindRow['kind']]?: AdminKey } = {
  receipt: 'emailKinds.reasons.receipt',
  payment_recovered: 'emailKinds.reasons.recovered',
  subscription_confirmation: 'emailKinds.reasons.contract',
  renewal_notice: 'emailKinds.reasons.renewal',
  debit_notice: 'emailKinds.reasons.debit',
  refund: 'emailKinds.reasons.creditNote',
  invoice_corrected: 'emailKinds.reasons.corrected',
  billing_updated: 'emailKinds.reasons.customerProtection',
  cancellation: 'emailKinds.reasons.cancellation',
  subscription_ended: 'emailKinds.reasons.cancellation',
  payment_method_missing: 'emailKinds.reasons.method',
  purchase_unpaid: 'emailKinds.reasons.purchaseUnpaid',
  payout_account_changed: 'emailKinds.reasons.merchantAccount',
  access_changed: 'emailKinds.reasons.merchantAccess',
  withdrawal_received: 'emailKinds.reasons.withdrawal',
  transfer_instructions: 'emailKinds.reasons.transfer',
  member_invitation: 'emailKinds.reasons.invitation',
  password_reset: 'emailKinds.reasons.password',
  passkey_added: 'emailKinds.reasons.passkey',
  own_access_changed: 'emailKinds.reasons.ownAccess',
  email_change: 'emailKinds.reasons.emailChange',
  email_changed: 'emailKinds.reasons.customerProtection',
  customer_link: 'emailKinds.reasons.customerLink',
  portal_link: 'emailKinds.reasons.portal',
}
