import { describe, expect, it } from 'vitest'
import { issuableScopes, may, mayIssue, permissions, roles } from './access.ts'

describe('permissions', () => {
  it('owners, developers, support, and accountants have the listed permissions and no other permissions', () => {
    const table = Object.fromEntries(
      permissions.map((permission) => [permission, roles.filter((role) => may(role, permission)).join(' ')]),
    )
    expect(table).toEqual({
      'sales.read': 'owner developer support accountant',
      'customers.note': 'owner support accountant',
      'refunds.create': 'owner support',
      'disputes.answer': 'owner support',
      'payouts.request': 'owner',
      'subscriptions.change': 'owner support',
      'emails.resend': 'owner support',
      'emails.switch': 'owner',
      'deliveries.read': 'owner developer support',
      'deliveries.resend': 'owner developer',
      'clock.advance': 'owner developer',
      'brand.change': 'owner',
      'disputes.set': 'owner',
      'portal.change': 'owner',
      'catalog.change': 'owner developer',
      'checkouts.create': 'owner developer support',
      'keys.change': 'owner developer',
      'endpoints.change': 'owner developer',
      'balance.read': 'owner accountant',
      'sales.export': 'owner accountant',
      'members.change': 'owner',
      'audit.read': 'owner',
      'payout_account.change': 'owner',
      'payouts.create': '',
      'chargebacks.decide': '',
      'storefronts.suspend': '',
    })
  })

  it('staff have every permission, and owners have every permission that is not reserved to staff', () => {
    expect(permissions.filter((permission) => !may(null, permission))).toEqual([])
    expect(permissions.filter((permission) => !may('owner', permission))).toEqual([
      'payouts.create',
      'chargebacks.decide',
      'storefronts.suspend',
    ])
  })
})

describe('API keys', () => {
  it('a role can issue only API keys whose rights do not exceed the rights of the role', () => {
    expect(Object.fromEntries(roles.map((role) => [role, issuableScopes(role).join(' ')]))).toEqual({
      owner: 'full no_refunds read_only',
      developer: 'no_refunds read_only',
      support: '',
      accountant: '',
    })
    expect(issuableScopes(null)).toEqual(['full', 'no_refunds', 'read_only'])
  })

  it('a role without the permission to refund cannot issue an API key with the scope full', () => {
    for (const role of roles.filter((role) => !may(role, 'refunds.create'))) expect(mayIssue(role, 'full')).toBe(false)
  })
})
