import type { Permission } from '../modules/operators/rules/access.ts'
import { type AdminAction, adminActions } from '../modules/operators/rules/admin-actions.ts'
import type { exports } from '../workflows/csv-lists/lists.ts'

type Who = 'anybody' | 'person' | 'staff'

interface Page<Needed> {
  readonly page?: Needed
  readonly actions?: Readonly<Partial<Record<AdminAction, Needed | readonly Needed[]>>>
}

const endpointChange = 'endpoints.change'

/**
 * The permissions of every page and action, by the path below `app/(admin)/admin`. `access.ts` checks these permissions. A page for `anybody` identifies the
 * reader by the token of a link. A page for `person` identifies the reader by the session.
 */
export const permissions = {
  service: {
    '': { page: 'person' },
    audit: { page: 'staff' },
    chargebacks: { page: 'staff' },
    confirm: { page: 'person', actions: { 'operator.confirm': 'person' } },
    'export/[section]': { actions: { 'export.staff_list': 'staff' } },
    'export/customers/[id]': { actions: { 'customer.export': 'staff' } },
    'export/payout-files/[id]': { actions: { 'payout.download': 'staff' } },
    invariants: { page: 'staff', actions: { 'invariants.check': 'staff' } },
    'invitation/[token]': { page: 'anybody', actions: { 'member.accept_invitation': 'anybody' } },
    password: { page: 'anybody', actions: { 'operator.ask_for_reset': 'anybody' } },
    'password/[token]': { page: 'anybody', actions: { 'operator.reset_password': 'anybody' } },
    people: {
      page: 'staff',
      actions: {
        'operator.invite': 'staff',
        'operator.remove': 'staff',
        'operator.end_sessions': 'staff',
        'operator.reset_second_factor': 'staff',
      },
    },
    'payout-files': { page: 'staff', actions: { 'payout.export': 'staff', 'payout.confirm_file': 'staff' } },
    'personal-data': { page: 'staff', actions: { 'customer.erase': 'staff' } },
    'provider-accounts': { page: 'staff' },
    registrations: { page: 'staff', actions: { 'registration.add': 'staff', 'registration.end': 'staff' } },
    reviews: { page: 'staff' },
    'reviews/[id]': {
      page: 'staff',
      actions: { 'review.start': 'staff', 'review.approve': 'staff', 'review.reject': 'staff' },
    },
    search: { page: 'person' },
    'second-factor': {
      page: 'anybody',
      actions: {
        'operator.log_in': 'anybody',
        'operator.set_up_second_factor': 'anybody',
        'operator.use_recovery_code': 'anybody',
      },
    },
    sessions: { page: 'person' },
    'sessions/[id]/end': { actions: { 'operator.end_session': 'person' } },
    'sessions/language': { actions: { 'operator.change_language': 'person' } },
    'sessions/passkeys': { page: 'person', actions: { 'operator.add_passkey': 'person' } },
    'sessions/passkeys/[id]/remove': { actions: { 'operator.remove_passkey': 'person' } },
    'sessions/passkeys/code': { actions: { 'operator.confirm_passkey': 'person' } },
    'sign-in': { page: 'anybody', actions: { 'operator.sign_in': 'anybody' } },
    'sign-in/passkey': { actions: { 'operator.log_in_by_passkey': 'anybody' } },
    'sign-out': { actions: { 'operator.sign_out': 'anybody' } },
    storefronts: { page: 'person' },
    'storefronts/new': { page: 'staff', actions: { 'storefront.create': 'staff' } },
    'export/tax-returns/[quarter]/[file]': { actions: { 'export.tax_return': 'staff' } },
    'tax-returns': { page: 'staff' },
    thresholds: { page: 'staff' },
    work: { page: 'staff' },
  },

  /** Pages below `[mode]/[storefrontId]`. Staff has every permission. */
  storefront: {
    '': { page: 'sales.read' },
    'audit-log': { page: 'audit.read' },
    balance: { page: 'balance.read' },
    'balance/account': {
      page: 'balance.read',
      actions: {
        'payout_account.change': 'payout_account.change',
        'payout_account.stop': 'payout_account.change',
      },
    },
    'balance/statements/[month]': { page: 'balance.read' },
    brand: { page: 'brand.change', actions: { 'brand.save': 'brand.change' } },
    catalog: { page: 'sales.read', actions: { 'catalog.create': 'catalog.change' } },
    'catalog/[id]': {
      page: 'sales.read',
      actions: {
        'catalog.update': 'catalog.change',
        'catalog.archive': 'catalog.change',
        'catalog.unarchive': 'catalog.change',
      },
    },
    'catalog/new': { page: 'catalog.change' },
    chargebacks: {
      page: 'sales.read',
      actions: { 'disputes.end_subscriptions': 'disputes.set', 'disputes.leave_subscriptions': 'disputes.set' },
    },
    'chargebacks/[id]': {
      page: 'sales.read',
      actions: { 'chargeback.accepted': 'chargebacks.decide', 'chargeback.rejected': 'chargebacks.decide' },
    },
    'chargebacks/[id]/answer': {
      actions: { 'chargeback.send_evidence': 'disputes.answer', 'chargeback.concede': 'disputes.answer' },
    },
    checkouts: { page: 'sales.read', actions: { 'checkout.create': 'checkouts.create' } },
    'checkouts/[id]': { page: 'sales.read' },
    'checkouts/new': { page: 'checkouts.create' },
    clock: { page: 'clock.advance', actions: { 'clock.advance': 'clock.advance' } },
    'customer-links/[id]': {
      actions: { 'customer_link.create': 'subscriptions.change', 'customer_link.email': 'emails.resend' },
    },
    customers: { page: 'sales.read' },
    'customers/[id]': { page: 'sales.read' },
    'customers/[id]/notes': {
      actions: { 'customer_note.create': 'customers.note', 'customer_note.delete': 'customers.note' },
    },
    deliveries: { page: 'deliveries.read', actions: { 'delivery.resend_matching': 'deliveries.resend' } },
    'deliveries/[id]': { page: 'deliveries.read', actions: { 'delivery.resend': 'deliveries.resend' } },
    emails: { page: 'sales.read' },
    'emails/[id]': {
      page: 'sales.read',
      actions: { 'email.resend': 'emails.resend', 'email.lift': 'emails.resend' },
    },
    'emails/kinds': {
      page: 'sales.read',
      actions: { 'email.enable': 'emails.switch', 'email.disable': 'emails.switch' },
    },
    'emails/kinds/[kind]': { page: 'sales.read' },
    'emails/kinds/[kind]/html': { page: 'sales.read' },
    endpoints: { page: 'deliveries.read', actions: { 'endpoint.create': endpointChange } },
    'endpoints/[id]': {
      page: 'deliveries.read',
      actions: {
        'endpoint.update': endpointChange,
        'endpoint.delete': endpointChange,
        'endpoint.end_previous_secret': endpointChange,
        'endpoint.ping': 'deliveries.resend',
        'endpoint.resend_failed': [endpointChange, 'deliveries.resend'],
      },
    },
    events: { page: 'deliveries.read' },
    'events/[id]': { page: 'deliveries.read' },
    // Exporting a list also requires the permission of that list in `lists`.
    'export/[section]': { actions: { 'export.list': 'sales.read' } },
    'export/evidence/[id]': { actions: { 'export.evidence': 'sales.export' } },
    'export/tax-documents/[period]': { actions: { 'export.tax_documents': ['sales.export', 'balance.read'] } },
    'export/tax-report/[period]': { actions: { 'export.tax_report': ['sales.export', 'balance.read'] } },
    'export/statements/[month]': { actions: { 'export.statement': ['sales.export', 'balance.read'] } },
    'export/statements/[month]/pdf': { actions: { 'export.statement_pdf': ['sales.export', 'balance.read'] } },
    keys: {
      page: 'keys.change',
      actions: {
        'key.create': 'keys.change',
        'key.rename': 'keys.change',
        'key.rotate': 'keys.change',
        'key.revoke': 'keys.change',
      },
    },
    members: {
      page: 'members.change',
      actions: {
        'member.invite': 'members.change',
        'member.withdraw_invitation': 'members.change',
        'member.change_role': 'members.change',
        'member.remove': 'members.change',
      },
    },
    orders: { page: 'sales.read' },
    'orders/[id]': {
      page: 'sales.read',
      actions: {
        'refund.create': 'refunds.create',
        'refund.cancel': 'refunds.create',
        'refund.recall': 'refunds.create',
        'recovery.cancel': 'subscriptions.change',
        'recovery.retry': 'subscriptions.change',
        'recovery.send_link': 'emails.resend',
        'recovery.write_off': 'subscriptions.change',
      },
    },
    'orders/[id]/refund': { page: 'refunds.create' },
    'past-due': { page: 'sales.read' },
    'payment-links': { page: 'sales.read', actions: { 'payment_link.create': 'checkouts.create' } },
    'payment-links/[id]': {
      page: 'sales.read',
      actions: { 'payment_link.end': 'checkouts.create', 'payment_link.reopen': 'checkouts.create' },
    },
    'payment-links/new': { page: 'checkouts.create' },
    payouts: {
      page: 'balance.read',
      actions: {
        'payout.create': 'payouts.create',
        'payout.request': 'payouts.request',
        'payout.schedule': 'payouts.request',
        'payout.confirm': 'payouts.create',
        'payout.return': 'payouts.create',
        'payout.cancel': 'payouts.request',
      },
    },
    'payouts/[id]': { page: 'balance.read' },
    portal: { page: 'portal.change', actions: { 'portal.set_changes': 'portal.change' } },
    subscriptions: { page: 'sales.read' },
    'subscriptions/[id]': {
      page: 'sales.read',
      actions: {
        'subscription.resume': 'subscriptions.change',
        'subscription.unpause': 'subscriptions.change',
        'subscription.pause': 'subscriptions.change',
        'subscription.cancel': 'subscriptions.change',
        'subscription.cancel_now': 'subscriptions.change',
        'subscription.set_payment_behavior': 'clock.advance',
      },
    },
    'subscriptions/[id]/change': {
      page: 'subscriptions.change',
      actions: { 'subscription.change': 'subscriptions.change' },
    },
    'tax-report': { page: 'balance.read' },
    suspension: {
      page: 'storefronts.suspend',
      actions: { 'storefront.suspend': 'storefronts.suspend', 'storefront.resume': 'storefronts.suspend' },
    },
  },

  lists: {
    balance: 'sales.export',
    catalog: 'sales.read',
    chargebacks: 'sales.export',
    checkouts: 'sales.export',
    customers: 'sales.export',
    deliveries: 'deliveries.read',
    emails: 'sales.export',
    endpoints: 'deliveries.read',
    keys: 'keys.change',
    members: 'members.change',
    orders: 'sales.export',
    payouts: 'sales.export',
    refunds: 'sales.export',
    subscriptions: 'sales.export',
  },
} as const satisfies {
  readonly service: Readonly<Record<string, Page<Who>>>
  readonly storefront: Readonly<Record<string, Page<Permission>>>
  readonly lists: Readonly<Record<keyof typeof exports, Permission>>
}

type Table = typeof permissions
type Keys<Group, Shape> = { [Path in keyof Group]: Group[Path] extends Shape ? Path : never }[keyof Group]
type ActionsIn<Group> = {
  [Path in keyof Group]: Group[Path] extends { actions: infer Actions } ? keyof Actions : never
}[keyof Group]

export type StorefrontPage = Keys<Table['storefront'], { page: Permission }>
export type StorefrontForm = Keys<Table['storefront'], { actions: object }>
export type StorefrontAction = ActionsIn<Table['storefront']>

export type StaffPage = Keys<Table['service'], { page: 'staff' } | { actions: Readonly<Record<string, 'staff'>> }>
export type PersonPage = Keys<Table['service'], { page: 'person' }>

type Needed = readonly Permission[]

export const neededForPage = (page: StorefrontPage): Needed => [permissions.storefront[page].page]

export const neededForList = (section: keyof Table['lists']): Needed => [
  ...neededForForm('export/[section]', null),
  permissions.lists[section],
]

const actionsOf = (form: StorefrontForm) =>
  Object.entries(permissions.storefront[form].actions) as [StorefrontAction, Permission | Needed][]

/** The permissions that a button of a form needs. An unknown button needs the permissions of all buttons. */
export function neededForForm(form: StorefrontForm, intent: string | null): Needed {
  const actions = actionsOf(form)
  const asked = actions.filter(([action]) => adminActions[action].intent === intent)
  return (asked.length > 0 ? asked : actions).flatMap(([, needed]) => needed)
}

const forms = Object.keys(permissions.storefront).filter(
  (path): path is StorefrontForm => 'actions' in permissions.storefront[path as keyof Table['storefront']],
)
const neededByAction = new Map(forms.flatMap(actionsOf))

export const neededForAction = (action: StorefrontAction): Needed => [neededByAction.get(action) ?? []].flat()
