import type { EmailKind } from './email.ts'

const confirmed = 'A contract at a distance is confirmed on a durable medium (Directive 2011/83/EU, art. 8(7)).'
const canceled = 'A cancellation is confirmed in text form at once (in Germany: BGB, section 312k(4)).'

export const whyRequired: { readonly [Kind in EmailKind]: string | null } = {
  receipt: `${confirmed} The email contains the invoice.`,
  payment_recovered: 'The email is the receipt of a payment that failed before, and contains the invoice.',
  subscription_confirmation: confirmed,
  trial_ending: null,
  // A renewal notice is required in every country, because it can correct an earlier announcement of a charge.
  renewal_notice: 'A renewal is announced in time (in France: Code de la consommation, art. L215-1).',
  debit_notice: 'A direct debit is announced before it is collected (SEPA Direct Debit Core Rulebook, EPC016-06).',
  refund: 'The email contains the credit note, which amends an invoice (Directive 2006/112/EC, art. 219).',
  invoice_corrected: 'The email contains an invoice that amends another invoice (Directive 2006/112/EC, art. 219).',
  billing_updated: 'The email protects the customer from changes by other people.',
  cancellation: canceled,
  // This email confirms a cancellation that ends the subscription at once.
  subscription_ended: canceled,
  payment_method_missing:
    'Without a payment method the subscription cannot continue, and only the customer can add one.',
  payment_failed: null,
  payment_method_needed: null,
  canceled_for_nonpayment: null,
  change_undone: null,
  purchase_unpaid: 'The buyer owes the amount of a paid invoice again, and needs the link in the email to pay.',
  review_decided: null,
  endpoint_disabled: null,
  chargeback_received: null,
  payout_created: null,
  payout_returned: null,
  payout_account_changed: 'The email protects the merchant from bank details that other people enter.',
  withdrawal_declared: null,
  access_changed: 'The email protects the merchant from members and keys that other people add.',
  renewal_uncollectable: null,
  withdrawal_received: 'A withdrawal is acknowledged on a durable medium (Directive 2011/83/EU, art. 11a(4)).',
  transfer_instructions: 'The buyer chose bank transfer, and needs the details in the email to pay.',
  member_invitation: 'The invited person needs the link in the email to accept the invitation.',
  password_reset: 'The recipient needs the link in the email to set a password.',
  passkey_added: 'The email protects a user of the admin area from passkeys that other people add.',
  own_access_changed: 'The email protects a user of the admin area from changes by other people.',
  email_change: 'The customer needs the email to confirm the new address.',
  email_changed: 'The email protects the customer from changes by other people.',
  customer_link: 'A member of the merchant sends this email to a single customer.',
  portal_link: 'The customer needs the email to sign in.',
}

export const emailKinds = Object.keys(whyRequired) as EmailKind[]
