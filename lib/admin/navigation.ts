import type { NavigationGroup, StorefrontSection } from '../modules/accounts/page.ts'
import type { StorefrontPage } from './permissions.ts'

interface Entry {
  readonly section: StorefrontSection
  /** The path of the page relative to the storefront, as listed in `permissions.storefront`. */
  readonly page: StorefrontPage
  readonly testOnly?: true
  readonly tabs?: readonly StorefrontPage[]
}

export const storefrontNavigation: readonly { group: NavigationGroup; entries: readonly Entry[] }[] = [
  { group: 'home', entries: [{ section: 'overview', page: '' }] },
  {
    group: 'sales',
    entries: [
      { section: 'orders', page: 'orders' },
      { section: 'subscriptions', page: 'subscriptions' },
      { section: 'customers', page: 'customers' },
      { section: 'past-due', page: 'past-due' },
      { section: 'chargebacks', page: 'chargebacks' },
    ],
  },
  {
    group: 'products',
    entries: [
      { section: 'catalog', page: 'catalog' },
      { section: 'payment-links', page: 'payment-links' },
      { section: 'checkouts', page: 'checkouts' },
    ],
  },
  {
    group: 'finance',
    entries: [
      { section: 'balance', page: 'balance' },
      { section: 'payouts', page: 'payouts' },
      { section: 'tax-report', page: 'tax-report' },
    ],
  },
  {
    group: 'developers',
    entries: [
      { section: 'keys', page: 'keys' },
      { section: 'endpoints', page: 'endpoints', tabs: ['deliveries'] },
      { section: 'events', page: 'events' },
      { section: 'clock', page: 'clock', testOnly: true },
    ],
  },
  {
    group: 'settings',
    entries: [
      { section: 'brand', page: 'brand' },
      { section: 'portal', page: 'portal' },
      { section: 'emails', page: 'emails' },
      { section: 'members', page: 'members' },
      { section: 'payout-account', page: 'balance/account' },
      { section: 'audit-log', page: 'audit-log' },
      { section: 'suspension', page: 'suspension' },
    ],
  },
]

export const staffNavigation = [
  { section: 'overview', path: '' },
  { section: 'storefronts', path: 'storefronts' },
  { section: 'reviews', path: 'reviews' },
  { section: 'disputes', path: 'chargebacks' },
  { section: 'payout-files', path: 'payout-files' },
  { section: 'tax-returns', path: 'tax-returns' },
  { section: 'thresholds', path: 'thresholds' },
  { section: 'registrations', path: 'registrations' },
  { section: 'provider-accounts', path: 'provider-accounts' },
  { section: 'personal-data', path: 'personal-data' },
  { section: 'work', path: 'work' },
  { section: 'invariants', path: 'invariants' },
  { section: 'audit', path: 'audit' },
  { section: 'people', path: 'people' },
] as const
