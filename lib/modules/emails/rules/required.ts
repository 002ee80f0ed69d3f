import type { EmailKind } from './email.ts'

const confirmed = 'A contract at a distance is confirmed on a durable medium (Directive 2011/83/EU, art. 8(7)).'

/**
 * The reasons why an email kind cannot be switched off. `emailKinds.reasons` in `messages/admin/` has a translation of
 * each sentence.
 */
export const requiredReasons = {
  contract: confirmed,
  receipt: `${confirmed} The email contains the invoice.`,
  recovered: 'The email is the receipt of a payment that failed before, and contains the invoice.',
  renewal: 'A renewal is announced in time (in France: Code de la consommation, art. L215-1).',
  debit: 'A direct debit is announced before it is collected (SEPA Direct Debit Core Rulebook, EPC016-06).',
  creditNote: 'The email contains the credit note, which amends an invoice (Directive 2006/112/EC, art. 219).',
  corrected: 'The email contains an invoice that amends another invoice (Directive 2006/112/EC, art. 219).',
  customerProtection: 'The email protects the customer from changes by other people.',
  cancellation: 'A cancellation is confirmed in text form at once (in Germany: BGB, section 312k(4)).',
  method: 'Without a payment method the subscription cannot continue, and only the customer can add one.',
  purchaseUnpaid: 'The buyer owes the amount of a paid invoice again, and needs the link in the email to pay.',
  merchantAccount: 'The email protects the merchant from bank details that other people enter.',
  merchantAccess: 'The email protects the merchant from members and keys that other people add.',
  withdrawal: 'A withdrawal is acknowledged on a durable medium (Directive 2011/83/EU, art. 11a(4)).',
  transfer: 'The buyer chose bank transfer, and needs the details in the email to pay.',
  invitation: 'The invited person needs the link in the email to accept the invitation.',
  password: 'The recipient needs the link in the email to set a password.',
  passkey: 'The email protects a user of the admin area from passkeys that other people add.',
  ownAccess: 'The email protects a user of the admin area from changes by other people.',
  emailChange: 'The customer needs the email to confirm the new address.',
  customerLink: 'A member of the merchant sends this email to a single customer.',
  portal: 'The customer needs the email to sign in.',
} as const
export type RequiredReason = keyof typeof requiredReasons

/** The reason why an email kind cannot be switched off; null if it can. */
export const whyRequired: { readonly [Kind in EmailKind]: RequiredReason | null } = {
  receipt: 'receipt',
  payment_recovered: 'recovered',
  subscription_confirmation: 'contract',
  trial_ending: null,
  // A renewal notice is required in every country, because it can correct an earlier announcement of a charge.
  renewal_notice: 'renewal',
  debit_notice: 'debit',
  refund: 'creditNote',
  invoice_corrected: 'corrected',
  billing_updated: 'customerProtection',
  cancellation: 'cancellation',
  // This email confirms a cancellation that ends the subscription immediately.
  subscription_ended: 'cancellation',
  payment_method_missing: 'method',
  payment_failed: null,
  payment_method_needed: null,
  canceled_for_nonpayment: null,
  change_undone: null,
  purchase_unpaid: 'purchaseUnpaid',
  review_decided: null,
  endpoint_disabled: null,
  chargeback_received: null,
  payout_created: null,
  payout_returned: null,
  payout_account_changed: 'merchantAccount',
  withdrawal_declared: null,
  access_changed: 'merchantAccess',
  renewal_uncollectable: null,
  withdrawal_received: 'withdrawal',
  transfer_instructions: 'transfer',
  member_invitation: 'invitation',
  password_reset: 'password',
  passkey_added: 'passkey',
  own_access_changed: 'ownAccess',
  email_change: 'emailChange',
  email_changed: 'customerProtection',
  customer_link: 'customerLink',
  portal_link: 'portal',
}

export const emailKinds = Object.keys(whyRequired) as EmailKind[]
