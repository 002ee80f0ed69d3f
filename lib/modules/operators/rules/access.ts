import { type KeyScope, keyScopes } from '../../../kernel/key-scope.ts'

/** The roles of a merchant's members. The service's own staff have no role and all permissions. */
export const roles = ['owner', 'developer', 'support', 'accountant'] as const
export type Role = (typeof roles)[number]

/** The permissions in the admin area of a storefront, with the roles that have each. */
const granted = {
  'sales.read': ['owner', 'developer', 'support', 'accountant'],
  'refunds.create': ['owner', 'support'],
  'subscriptions.change': ['owner', 'support'],
  'emails.resend': ['owner', 'support'],
  'emails.switch': ['owner'],
  'deliveries.read': ['owner', 'developer', 'support'],
  'deliveries.resend': ['owner', 'developer'],
  'clock.advance': ['owner', 'developer'],
  'brand.change': ['owner'],
  'disputes.set': ['owner'],
  'disputes.answer': ['owner', 'support'],
  'portal.change': ['owner'],
  'catalog.change': ['owner', 'developer'],
  'checkouts.create': ['owner', 'developer', 'support'],
  'keys.change': ['owner', 'developer'],
  'endpoints.change': ['owner', 'developer'],
  'balance.read': ['owner', 'accountant'],
  'sales.export': ['owner', 'accountant'],
  'members.change': ['owner'],
  'audit.read': ['owner'],
  'payout_account.change': ['owner'],
  'payouts.request': ['owner'],
  'payouts.create': [],
  'chargebacks.decide': [],
  'storefronts.suspend': [],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof granted
export const permissions = Object.keys(granted) as Permission[]

/** Whether a role has a permission; null is the service's own staff. */
export const may = (role: Role | null, permission: Permission): boolean =>
  role === null || (granted[permission] as readonly Role[]).includes(role)

/** The permissions that a person needs to issue a key of a scope, because the key can do the same. */
const neededFor: Readonly<Record<KeyScope, readonly Permission[]>> = {
  full: ['keys.change', 'refunds.create'],
  no_refunds: ['keys.change'],
  read_only: ['keys.change'],
}

/** Whether a role may issue and replace keys of a scope; null is the service's own staff. */
export const mayIssue = (role: Role | null, scope: KeyScope): boolean =>
  neededFor[scope].every((permission) => may(role, permission))

/** The scopes of the keys that a role may issue, the widest first. */
export const issuableScopes = (role: Role | null): KeyScope[] => keyScopes.filter((scope) => mayIssue(role, scope))
