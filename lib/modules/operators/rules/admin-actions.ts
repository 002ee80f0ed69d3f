import type { EmailKind } from '../../emails/rules/email.ts'

/**
 * The confirmation that an action needs (OWASP ASVS 5.0, 7.5.1 and 7.5.3). `recent`: a code of the second factor within
 * the last 15 minutes, or in the form. `code`: a code in the form.
 */
export type StepUp = 'none' | 'recent' | 'code'

/** The emails to the merchant's owners, and to the person whose access changes (ASVS 6.3.7). */
interface Announced {
  readonly owners?: EmailKind
  readonly person?: EmailKind
}

interface Action {
  /** The folder of the form's route in `app/(admin)/admin`, without `(signed-in)` and `submit`. */
  readonly form: string
  /** The value of the form's button for this action; null if the form has one action. */
  readonly intent: string | null
  readonly stepUp: StepUp
  /** In test mode, which moves no money and has no personal data, the action needs no code and sends no email. */
  readonly liveOnly?: true
  readonly emails?: Announced
}

const of = (section: string) => `[mode]/[storefrontId]/${section}`

/** Every action that changes data, by its name in the audit log. Actions read `stepUp` and `emails` from this table. */
const table = {
  'member.invite': {
    form: of('members'),
    intent: 'invite',
    stepUp: 'code',
    emails: { owners: 'access_changed', person: 'member_invitation' },
  },
  'member.withdraw_invitation': { form: of('members'), intent: 'withdraw', stepUp: 'none' },
  'member.change_role': {
    form: of('members'),
    intent: 'role',
    stepUp: 'code',
    emails: { owners: 'access_changed', person: 'own_access_changed' },
  },
  'member.remove': {
    form: of('members'),
    intent: 'remove',
    stepUp: 'code',
    emails: { owners: 'access_changed', person: 'own_access_changed' },
  },
  'key.create': {
    form: of('keys'),
    intent: 'issue',
    stepUp: 'code',
    liveOnly: true,
    emails: { owners: 'access_changed' },
  },
  'key.rotate': {
    form: of('keys'),
    intent: 'rotate',
    stepUp: 'code',
    liveOnly: true,
    emails: { owners: 'access_changed' },
  },
  'key.rename': { form: of('keys'), intent: 'rename', stepUp: 'none' },
  'key.revoke': { form: of('keys'), intent: 'revoke', stepUp: 'none' },
  'storefront.create': {
    form: 'storefronts/new',
    intent: null,
    stepUp: 'code',
    emails: { owners: 'access_changed', person: 'member_invitation' },
  },
  'endpoint.create': { form: of('endpoints'), intent: null, stepUp: 'recent', liveOnly: true },
  'endpoint.update': { form: of('endpoints/[id]'), intent: 'update', stepUp: 'recent', liveOnly: true },
  'endpoint.delete': { form: of('endpoints/[id]'), intent: 'delete', stepUp: 'none' },
  'endpoint.end_previous_secret': { form: of('endpoints/[id]'), intent: 'endSecret', stepUp: 'none' },
  'endpoint.ping': { form: of('endpoints/[id]'), intent: 'ping', stepUp: 'none' },
  'endpoint.resend_failed': { form: of('endpoints/[id]'), intent: 'resend', stepUp: 'none' },

  'payout_account.change': {
    form: of('balance/account'),
    intent: 'change',
    stepUp: 'code',
    emails: { owners: 'payout_account_changed' },
  },
  'payout_account.stop': { form: of('balance/account'), intent: 'stop', stepUp: 'none' },
  'payout.create': { form: of('payouts'), intent: 'book', stepUp: 'code' },
  'payout.request': { form: of('payouts'), intent: 'request', stepUp: 'code' },
  'payout.schedule': { form: of('payouts'), intent: 'schedule', stepUp: 'recent' },
  'payout.confirm': { form: of('payouts'), intent: 'confirm', stepUp: 'recent' },
  'payout.return': { form: of('payouts'), intent: 'return', stepUp: 'recent' },
  'payout.cancel': { form: of('payouts'), intent: 'cancel', stepUp: 'recent' },
  // Creates a bank file with the payouts of all storefronts.
  'payout.export': { form: 'payout-files', intent: 'make', stepUp: 'code' },
  'payout.confirm_file': { form: 'payout-files', intent: 'paid', stepUp: 'recent' },
  'payout.download': { form: 'export/payout-files/[id]', intent: null, stepUp: 'recent' },
  'refund.create': { form: of('orders/[id]'), intent: 'refund', stepUp: 'recent' },
  'refund.cancel': { form: of('orders/[id]'), intent: 'cancel-refund', stepUp: 'none' },
  'refund.recall': { form: of('orders/[id]'), intent: 'recall-refund', stepUp: 'none' },
  'recovery.cancel': { form: of('orders/[id]'), intent: 'undo-change', stepUp: 'none' },
  'recovery.retry': { form: of('orders/[id]'), intent: 'retry', stepUp: 'recent' },
  'recovery.send_link': { form: of('orders/[id]'), intent: 'send-link', stepUp: 'none' },
  'recovery.write_off': { form: of('orders/[id]'), intent: 'write-off', stepUp: 'none' },
  'customer_link.create': { form: of('customer-links/[id]'), intent: 'create-link', stepUp: 'recent', liveOnly: true },
  'customer_link.email': { form: of('customer-links/[id]'), intent: 'email-link', stepUp: 'none' },
  'customer_note.create': { form: of('customers/[id]/notes'), intent: 'add-note', stepUp: 'none' },
  'customer_note.delete': { form: of('customers/[id]/notes'), intent: 'delete-note', stepUp: 'none' },
  'chargeback.accepted': { form: of('chargebacks/[id]'), intent: 'accepted', stepUp: 'recent' },
  'chargeback.send_evidence': { form: of('chargebacks/[id]/answer'), intent: 'evidence', stepUp: 'none' },
  'chargeback.concede': { form: of('chargebacks/[id]/answer'), intent: 'concede', stepUp: 'recent' },
  'chargeback.rejected': { form: of('chargebacks/[id]'), intent: 'rejected', stepUp: 'recent' },

  'subscription.change': { form: of('subscriptions/[id]/change'), intent: null, stepUp: 'recent' },
  'subscription.resume': { form: of('subscriptions/[id]'), intent: 'resume', stepUp: 'recent' },
  'subscription.unpause': { form: of('subscriptions/[id]'), intent: 'unpause', stepUp: 'recent' },
  'subscription.pause': { form: of('subscriptions/[id]'), intent: 'pause', stepUp: 'none' },
  'subscription.cancel': { form: of('subscriptions/[id]'), intent: 'cancel', stepUp: 'none' },
  'subscription.cancel_now': { form: of('subscriptions/[id]'), intent: 'cancelNow', stepUp: 'none' },
  'subscription.set_payment_behavior': { form: of('subscriptions/[id]'), intent: 'payment-behavior', stepUp: 'none' },
  'storefront.suspend': { form: of('suspension'), intent: 'suspend', stepUp: 'none' },
  'storefront.resume': { form: of('suspension'), intent: 'resume', stepUp: 'recent' },
  'disputes.end_subscriptions': { form: of('chargebacks'), intent: 'on', stepUp: 'none' },
  'disputes.leave_subscriptions': { form: of('chargebacks'), intent: 'off', stepUp: 'none' },

  'catalog.create': { form: of('catalog'), intent: null, stepUp: 'none' },
  'catalog.update': { form: of('catalog/[id]'), intent: 'update', stepUp: 'none' },
  'catalog.archive': { form: of('catalog/[id]'), intent: 'archive', stepUp: 'none' },
  'catalog.unarchive': { form: of('catalog/[id]'), intent: 'unarchive', stepUp: 'none' },
  'registration.add': { form: 'registrations', intent: 'add', stepUp: 'recent' },
  'registration.end': { form: 'registrations', intent: 'end', stepUp: 'recent' },
  'review.start': { form: 'reviews/[id]', intent: 'start', stepUp: 'none' },
  'review.approve': { form: 'reviews/[id]', intent: 'approve', stepUp: 'none' },
  'review.reject': { form: 'reviews/[id]', intent: 'reject', stepUp: 'none' },
  'checkout.create': { form: of('checkouts'), intent: null, stepUp: 'none' },
  'payment_link.create': { form: of('payment-links'), intent: null, stepUp: 'none' },
  'payment_link.end': { form: of('payment-links/[id]'), intent: 'end', stepUp: 'none' },
  'payment_link.reopen': { form: of('payment-links/[id]'), intent: 'reopen', stepUp: 'none' },
  'brand.save': { form: of('brand'), intent: 'save', stepUp: 'none' },
  'portal.set_changes': { form: of('portal'), intent: null, stepUp: 'none' },
  'clock.advance': { form: of('clock'), intent: null, stepUp: 'none' },
  'delivery.resend_matching': { form: of('deliveries'), intent: null, stepUp: 'none' },
  'delivery.resend': { form: of('deliveries/[id]'), intent: 'resend', stepUp: 'none' },
  'email.resend': { form: of('emails/[id]'), intent: 'resend', stepUp: 'none' },
  'email.lift': { form: of('emails/[id]'), intent: 'lift', stepUp: 'none' },
  'email.enable': { form: of('emails/kinds'), intent: 'on', stepUp: 'none' },
  'email.disable': { form: of('emails/kinds'), intent: 'off', stepUp: 'none' },
  'invariants.check': { form: 'invariants', intent: 'check', stepUp: 'none' },

  'customer.erase': { form: 'personal-data', intent: 'erase', stepUp: 'code' },
  'customer.export': { form: 'export/customers/[id]', intent: null, stepUp: 'recent' },

  // Exports change no data. The audit log records exports, because personal data leaves the service.
  'export.list': { form: of('export/[section]'), intent: null, stepUp: 'none' },
  'export.evidence': { form: of('export/evidence/[id]'), intent: null, stepUp: 'none' },
  'export.statement': { form: of('export/statements/[month]'), intent: null, stepUp: 'none' },
  'export.statement_pdf': { form: of('export/statements/[month]/pdf'), intent: null, stepUp: 'none' },
  'export.tax_report': { form: of('export/tax-report/[period]'), intent: null, stepUp: 'none' },
  'export.tax_documents': { form: of('export/tax-documents/[period]'), intent: null, stepUp: 'none' },
  'export.tax_return': { form: 'export/tax-returns/[quarter]/[file]', intent: null, stepUp: 'none' },
  'export.staff_list': { form: 'export/[section]', intent: null, stepUp: 'none' },

  // Actions on a person's own sign-in. The sign-in actions have `stepUp: 'none'`, because a sign-in needs no further
  // confirmation.
  'operator.add_passkey': {
    form: 'sessions/passkeys',
    intent: null,
    stepUp: 'code',
    emails: { person: 'passkey_added' },
  },
  'operator.confirm_passkey': { form: 'sessions/passkeys/code', intent: null, stepUp: 'code' },
  'operator.remove_passkey': {
    form: 'sessions/passkeys/[id]/remove',
    intent: null,
    stepUp: 'code',
    emails: { person: 'own_access_changed' },
  },
  'operator.confirm': { form: 'confirm', intent: null, stepUp: 'code' },
  'operator.change_language': { form: 'sessions/language', intent: null, stepUp: 'none' },
  'operator.end_session': { form: 'sessions/[id]/end', intent: null, stepUp: 'none' },
  'operator.sign_out': { form: 'sign-out', intent: null, stepUp: 'none' },
  'operator.sign_in': { form: 'sign-in', intent: null, stepUp: 'none' },
  // A log-in in a known browser sends no email.
  'operator.log_in': {
    form: 'second-factor',
    intent: null,
    stepUp: 'none',
    emails: { person: 'own_access_changed' },
  },
  'operator.log_in_by_passkey': {
    form: 'sign-in/passkey',
    intent: null,
    stepUp: 'none',
    emails: { person: 'own_access_changed' },
  },
  'operator.set_up_second_factor': {
    form: 'second-factor',
    intent: null,
    stepUp: 'none',
    emails: { person: 'own_access_changed' },
  },
  // A recovery code can replace a code of the second factor in any form.
  'operator.use_recovery_code': {
    form: 'second-factor',
    intent: null,
    stepUp: 'none',
    emails: { person: 'own_access_changed' },
  },
  'operator.ask_for_reset': {
    form: 'password',
    intent: null,
    stepUp: 'none',
    emails: { person: 'password_reset' },
  },
  'operator.reset_password': {
    form: 'password/[token]',
    intent: null,
    stepUp: 'none',
    emails: { person: 'own_access_changed' },
  },
  'operator.invite': { form: 'people', intent: 'invite', stepUp: 'code', emails: { person: 'member_invitation' } },
  'operator.remove': { form: 'people', intent: 'remove', stepUp: 'code', emails: { person: 'own_access_changed' } },
  'operator.end_sessions': { form: 'people', intent: 'end-sessions', stepUp: 'recent' },
  'operator.reset_second_factor': {
    form: 'people',
    intent: 'reset',
    stepUp: 'code',
    emails: { person: 'own_access_changed' },
  },
  'member.accept_invitation': { form: 'invitation/[token]', intent: null, stepUp: 'none' },
} as const satisfies Readonly<Record<string, Action>>

export type AdminAction = keyof typeof table
export const adminActions: Readonly<Record<AdminAction, Action>> = table

export const stepUpOf = (action: AdminAction, testmode: boolean): StepUp => {
  const { stepUp, liveOnly } = adminActions[action]
  return testmode && liveOnly ? 'none' : stepUp
}

export const announcedBy = (action: AdminAction, testmode: boolean): Announced => {
  const { emails, liveOnly } = adminActions[action]
  return (testmode && liveOnly ? undefined : emails) ?? {}
}
