import type { EmailKind } from './email.ts'

const confirmed = 'A contract at a distance is confirmed on a durable medium (Directive 2011/83/EU, art. 8(7)).'
const canceled = 'A cancellation is confirmed in text form at once (in Germany: BGB, section 312k(4)).'

/** Why a storefront cannot switch off an email; null if it can. */
export const whyRequired: { readonly [Kind in EmailKind]: string | null } = {
  receipt: `${confirmed} It carries the invoice.`,
  payment_recovered: 'It is the receipt of a payment that had failed before, and carries the invoice.',
  subscription_confirmation: confirmed,
  trial_ending: null,
  // This kind also corrects earlier announcements. The law of each buyer's country is not checked.
  renewal_notice: 'A renewal is announced in time (in France: Code de la consommation, art. L215-1).',
  debit_notice: 'A direct debit is announced before it is collected (SEPA Direct Debit Core Rulebook, EPC016-06).',
  refund: 'It carries the credit note: a document that amends an invoice (Directive 2006/112/EC, art. 219).',
  invoice_corrected: 'It carries the invoice that amends another (Directive 2006/112/EC, art. 219).',
  billing_updated: 'It protects the customer from changes that somebody else makes.',
  cancellation: canceled,
  // It confirms a cancellation without a remaining period.
  subscription_ended: canceled,
  payment_method_missing:
    'Without a payment method the subscription cannot continue, and only the customer can add one.',
  payment_failed: null,
  payment_method_needed: null,
  canceled_for_nonpayment: null,
  change_undone: null,
  purchase_unpaid: 'The buyer owes a paid invoice again, and cannot pay it without this link.',
  review_decided: null,
  endpoint_disabled: null,
  chargeback_received: null,
  payout_created: null,
  payout_returned: null,
  payout_account_changed: 'It protects the merchant from bank details that somebody else enters.',
  withdrawal_declared: null,
  access_changed: 'It protects the merchant from people and keys that somebody else lets in.',
  renewal_uncollectable: null,
  withdrawal_received: 'A withdrawal is acknowledged on a durable medium (Directive 2011/83/EU, art. 11a(4)).',
  transfer_instructions: 'The buyer asked to pay by bank transfer, and cannot pay without these details.',
  member_invitation: 'An owner asked for it, and it cannot be accepted without its link.',
  password_reset: 'It was asked for, and no password can be set without its link.',
  passkey_added: 'It protects a person of the admin area from what somebody else adds.',
  own_access_changed: 'It protects a person of the admin area from changes that somebody else makes.',
  email_change: 'The customer asked for it, and cannot confirm the new address without it.',
  email_changed: 'It protects the customer from changes that somebody else makes.',
  customer_link: 'A member of the merchant sends it for one customer.',
  portal_link: 'The customer asked for it, and cannot sign in without it.',
}

export const emailKinds = Object.keys(whyRequired) as EmailKind[]
