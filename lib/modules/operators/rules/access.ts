import { type KeyScope, keyScopes } from '../../../kernel/key-scope.ts'

/** Members of a merchant have a role. Staff have no role and all permissions. */
export const roles = ['owner', 'developer', 'support', 'accountant'] as const
export type Role = (typeof roles)[number]

/** A one-line description of each role's permissions, for the help of the command line. */
export const roleMeanings: Readonly<Record<Role, string>> = {
  owner: 'everything of the merchant: also payouts, bank details, brand, and members',
  developer: 'plans, products, checkouts, API keys, webhooks, and the test clock',
  support: 'refunds, subscriptions, disputes, notes, and emails; creates checkouts',
  accountant: 'reads sales, balance, and statements; exports; writes notes',
}

/** The permissions in the admin area of a storefront, each with the roles that have it. */
const granted = {
  'sales.read': ['owner', 'developer', 'support', 'accountant'],
  'refunds.create': ['owner', 'support'],
  'subscriptions.change': ['owner', 'support'],
  'customers.note': ['owner', 'support', 'accountant'],
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

/** The role null means staff. */
export const may = (role: Role | null, permission: Permission): boolean =>
  role === null || (granted[permission] as readonly Role[]).includes(role)

/**
 * The permissions that a person needs to issue a key of each scope. They include everything that the key may do, so
 * that a person gains no rights through a key.
 */
const neededFor: Readonly<Record<KeyScope, readonly Permission[]>> = {
  full: ['keys.change', 'refunds.create'],
  no_refunds: ['keys.change'],
  read_only: ['keys.change'],
}

export const mayIssue = (role: Role | null, scope: KeyScope): boolean =>
  neededFor[scope].every((permission) => may(role, permission))

/** Returns the scopes of the keys that the role may issue, widest first. */
export const issuableScopes = (role: Role | null): KeyScope[] => keyScopes.filter((scope) => mayIssue(role, scope))
