import { describe, expect, it } from 'vitest'
import { issuableScopes, may, mayIssue, permissions, roles } from './access.ts'

describe('what each role may do', () => {
  it('is this table', () => {
    const table = Object.fromEntries(
      permissions.map((permission) => [permission, roles.filter((role) => may(role, permission)).join(' ')]),
    )
    expect(table).toEqual({
      'sales.read': 'owner developer support accountant',
      'refunds.create': 'owner support',
      'subscriptions.change': 'owner support',
      'emails.resend': 'owner support',
      'emails.switch': 'owner',
      'deliveries.read': 'owner developer support',
      'deliveries.resend': 'owner developer',
      'clock.advance': 'owner developer',
      'brand.change': 'owner',
      'disputes.set': 'owner',
      'catalog.change': 'owner developer',
      'checkouts.create': 'owner developer support',
      'keys.change': 'owner developer',
      'endpoints.change': 'owner developer',
      'balance.read': 'owner accountant',
      'sales.export': 'owner accountant',
      'members.change': 'owner',
      'payout_account.change': 'owner',
      'payouts.create': '',
      'chargebacks.decide': '',
      'storefronts.suspend': '',
    })
  })

  it('is everything for the staff of the service, and for an owner all but what staff alone may do', () => {
    expect(permissions.filter((permission) => !may(null, permission))).toEqual([])
    expect(permissions.filter((permission) => !may('owner', permission))).toEqual([
      'payouts.create',
      'chargebacks.decide',
      'storefronts.suspend',
    ])
  })
})

describe('the scopes of the keys that each role may issue', () => {
  it('are this table: none has more rights than the role', () => {
    expect(Object.fromEntries(roles.map((role) => [role, issuableScopes(role).join(' ')]))).toEqual({
      owner: 'full no_refunds read_only',
      developer: 'no_refunds read_only',
      support: '',
      accountant: '',
    })
    expect(issuableScopes(null)).toEqual(['full', 'no_refunds', 'read_only'])
  })

  it('include refunds only for roles that refund', () => {
    for (const role of roles.filter((role) => !may(role, 'refunds.create'))) expect(mayIssue(role, 'full')).toBe(false)
  })
})
