import { describe, expect, it } from 'vitest'
import { may, permissions, roles } from './access.ts'

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
      'deliveries.read': 'owner developer support',
      'deliveries.resend': 'owner developer',
      'clock.advance': 'owner developer',
      'brand.change': 'owner',
    })
  })

  it('is everything for an owner and for the staff of the service', () => {
    for (const permission of permissions) {
      expect(may('owner', permission)).toBe(true)
      expect(may(null, permission)).toBe(true)
    }
  })
})
