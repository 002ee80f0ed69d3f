import type { EmailContent, EmailKind } from './rules/email.ts'

// This file is longer than 300 lines, because it has one example of each email.

const common: Pick<EmailContent, 'storefrontName' | 'seller' | 'customerId' | 'customerName' | 'opensPortal'> = {
  storefrontName: 'Lumen',
  seller: {
    name: 'Billhook Demo Seller B.V.',
    addressLines: ['Keizersgracht 1', '1015 CN Amsterdam'],
    country: 'NL',
    email: 'seller@example.com',
  },
  customerId: null,
  customerName: 'Ada Lovelace',
  opensPortal: true,
}

const toMember = {
  ...common,
  customerName: null,
  adminUrl: 'https://pay.example.com/admin/live/storefront_0123456789abcdef',
}

const portalUrl = 'https://pay.example.com/portal/notice/0123456789abcdef'
const updateUrl = 'https://pay.example.com/billing-update/0123456789abcdef'
const eur = (value: string) => ({ value, currency: 'EUR' }) as const
const charge = { ...common, subscriptionName: 'Pro', amount: eur('12.10') }

const subscription = {
  name: 'Pro',
  quantity: 1,
  every: { interval: 'month', intervalCount: 1 },
  price: eur('12.10'),
  withTax: true,
  trialUntil: null,
  nextCharge: { total: eur('12.10'), at: '2026-12-22T09:30:00Z' },
} as const

const directDebit = {
  creditorId: 'DE98ZZZ09999999999',
  mandateReference: 'M1Z9V0F8Q6X2K7T3B5N4C8D1W0',
  account: 'NL**********4300',
} as const

const invoice = {
  number: 'INV-2026-000042',
  lines: [
    { description: 'Pro', quantity: 1, subtotal: eur('10.00') },
    { description: 'Handbook', quantity: 2, subtotal: eur('20.00') },
  ],
  subtotal: eur('30.00'),
  taxes: [{ name: 'VAT', percentage: 21, amount: eur('6.30') }],
  total: eur('36.30'),
}
const ofInvoice = { invoiceNumber: invoice.number, amount: eur('36.30'), reason: 'fraud', needsReview: false }
const deduction = { deducted: eur('51.30'), taken: eur('36.30'), fee: eur('15.00'), respondBy: '2026-12-15T00:00:00Z' }

const withdrawal = {
  kind: 'service',
  beginsAtOnce: true,
  lastDay: '2026-12-08',
  url: 'https://pay.example.com/withdrawal/0123456789abcdef',
} as const

export const emailExamples: { readonly [Kind in EmailKind]: EmailContent & { readonly kind: Kind } } = {
  receipt: {
    ...common,
    kind: 'receipt',
    of: 'purchase',
    document: invoice,
    subscriptions: [subscription],
    portalUrl,
    termsUrl: 'https://pay.example.com/terms',
    withdrawal,
  },
  payment_recovered: {
    ...common,
    kind: 'payment_recovered',
    of: 'subscription',
    document: invoice,
    waiting: { count: 2, total: eur('24.20') },
    subscriptions: [subscription],
    portalUrl,
    termsUrl: null,
  },
  subscription_confirmation: {
    ...common,
    kind: 'subscription_confirmation',
    subscriptions: [{ ...subscription, trialUntil: '2026-12-22T09:30:00Z' }],
    portalUrl,
    termsUrl: 'https://pay.example.com/terms',
    withdrawal,
  },
  trial_ending: {
    ...common,
    kind: 'trial_ending',
    subscription: { ...subscription, trialUntil: '2026-12-22T09:30:00Z' },
    nextCharge: subscription.nextCharge,
    portalUrl,
  },
  renewal_notice: {
    ...common,
    kind: 'renewal_notice',
    subscription: { ...subscription, every: { interval: 'year', intervalCount: 1 } },
    nextCharge: subscription.nextCharge,
    portalUrl,
  },
  debit_notice: {
    ...common,
    kind: 'debit_notice',
    subscription: { ...subscription, directDebit },
    nextCharge: subscription.nextCharge,
    portalUrl,
  },
  refund: {
    ...common,
    kind: 'refund',
    document: { ...invoice, number: 'CN-2026-000007' },
    invoiceNumber: invoice.number,
    portalUrl,
  },
  invoice_corrected: {
    ...common,
    kind: 'invoice_corrected',
    document: {
      ...invoice,
      number: 'INV-2026-000124',
      taxes: [{ name: 'Reverse charge', percentage: 0, amount: eur('0.00') }],
      total: invoice.subtotal,
    },
    invoiceNumber: invoice.number,
    creditNoteNumber: 'CN-2026-000007',
    tax: eur('6.30'),
    portalUrl,
  },
  billing_updated: {
    ...common,
    kind: 'billing_updated',
    subscriptionName: 'Pro',
    hasNewDetails: true,
    newMethod: { method: 'card', maskedIdentifier: '4242' },
    changedAt: '2026-11-22T09:30:00Z',
    nextCharge: { ...subscription.nextCharge, insteadOf: eur('10.00') },
    portalUrl,
  },
  cancellation: {
    ...common,
    kind: 'cancellation',
    subscriptionName: 'Pro',
    canceledAt: '2026-11-22T09:30:00Z',
    endsAt: '2026-12-22T09:30:00Z',
    portalUrl,
  },
  subscription_ended: { ...common, kind: 'subscription_ended', subscriptionName: 'Pro' },
  payment_method_missing: {
    ...common,
    kind: 'payment_method_missing',
    cause: 'disputed',
    subscriptionName: 'Pro',
    nextCharge: { total: eur('12.10'), at: '2026-12-22T09:30:00Z' },
    updateUrl,
  },
  payment_failed: {
    ...charge,
    kind: 'payment_failed',
    isOfChange: false,
    reason: 'insufficient_funds',
    nextAttemptAt: '2026-11-24T09:30:00Z',
    waiting: { count: 2, total: eur('24.20') },
    updateUrl,
  },
  payment_method_needed: {
    ...charge,
    kind: 'payment_method_needed',
    isOfChange: false,
    reason: 'card_expired',
    endsAt: '2026-11-29T09:30:00Z',
    updateUrl,
    reminder: 1,
  },
  canceled_for_nonpayment: { ...charge, kind: 'canceled_for_nonpayment' },
  change_undone: { ...charge, kind: 'change_undone', returnsAt: null },
  review_decided: {
    ...toMember,
    kind: 'review_decided',
    itemName: 'Pro',
    isUpdate: true,
    rejectionReason: 'The description does not say what is sold.',
  },
  endpoint_disabled: { ...toMember, kind: 'endpoint_disabled', host: 'api.example.com' },
  chargeback_received: {
    ...toMember,
    kind: 'chargeback_received',
    ...ofInvoice,
    ...deduction,
  },
  payout_created: { ...toMember, kind: 'payout_created', amount: eur('1250.00'), reference: 'NOV-2026' },
  payout_returned: { ...toMember, kind: 'payout_returned', amount: eur('1250.00') },
  payout_account_changed: {
    ...toMember,
    kind: 'payout_account_changed',
    account: 'NL91****4300',
    validFrom: '2026-11-25T09:30:00Z',
  },
  access_changed: {
    ...toMember,
    kind: 'access_changed',
    by: 'ada@example.com',
    change: { of: 'invited', email: 'grace@example.com', role: 'owner' },
  },
  member_invitation: {
    ...common,
    kind: 'member_invitation',
    customerName: null,
    invitedBy: 'ada@example.com',
    url: 'https://pay.example.com/admin/invitation/0123456789abcdef',
  },
  password_reset: {
    ...common,
    kind: 'password_reset',
    customerName: null,
    url: 'https://pay.example.com/admin/password/0123456789abcdef',
  },
  passkey_added: {
    ...common,
    kind: 'passkey_added',
    customerName: null,
    passkeyName: 'Laptop',
    addedAt: '2026-11-24T09:30:00Z',
    url: 'https://pay.example.com/admin/sessions',
  },
  own_access_changed: {
    ...common,
    kind: 'own_access_changed',
    customerName: null,
    change: { of: 'role', by: 'ada@example.com', from: 'owner', to: 'support' },
  },
  withdrawal_received: {
    ...common,
    kind: 'withdrawal_received',
    statement: 'I withdraw from the contract about Pro.',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    number: invoice.number,
    declaredAt: '2026-11-24T09:30:00Z',
    endedSubscriptions: ['Pro'],
  },
  withdrawal_declared: {
    ...toMember,
    kind: 'withdrawal_declared',
    number: invoice.number,
    endedSubscriptions: ['Pro'],
    items: [{ name: 'Pro', quantity: 1, of: 3 }],
    reducedSubscriptions: [{ name: 'Pro', quantity: 2 }],
  },
  renewal_uncollectable: {
    ...toMember,
    kind: 'renewal_uncollectable',
    subscriptionName: 'Pro',
    amount: eur('1208.79'),
    dueAt: '2026-12-24T09:30:00Z',
    method: 'directdebit',
    broken: 'most',
    limit: eur('1000.00'),
  },
  transfer_instructions: {
    ...common,
    kind: 'transfer_instructions',
    isReminder: false,
    amount: eur('119.00'),
    until: '2026-12-08T00:00:00Z',
    transfer: {
      bankName: 'Stichting Mollie Payments',
      account: 'NL53ABNA0627535577',
      bic: 'ABNANL2A',
      reference: 'RF12-3456-7890-1234',
    },
    url: 'https://pay.example.com/checkout/0123456789abcdef',
  },
  purchase_unpaid: {
    ...common,
    kind: 'purchase_unpaid',
    isReminder: false,
    invoiceNumber: 'INV-2026-000042',
    amount: eur('119.00'),
    until: '2026-12-15T09:30:00Z',
    url: 'https://pay.example.com/checkout/0123456789abcdef',
  },
  email_change: {
    ...common,
    kind: 'email_change',
    url: 'https://pay.example.com/portal/email-change/0123456789abcdef',
  },
  email_changed: {
    ...common,
    kind: 'email_changed',
    maskedEmail: 'a***@e***.com',
    changedAt: '2026-11-22T09:30:00Z',
  },
  customer_link: {
    ...common,
    kind: 'customer_link',
    link: 'payment_method',
    about: 'Pro',
    url: 'https://pay.example.com/billing-update/0123456789abcdef',
  },
  portal_link: { ...common, kind: 'portal_link', url: 'https://pay.example.com/portal/link/0123456789abcdef' },
}
