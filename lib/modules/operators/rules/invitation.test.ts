import { describe, expect, it } from 'vitest'
import { expiryOf, isOpen, keepsOwner, mayInvite } from './invitation.ts'

const now = new Date('2026-11-20T10:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 24 * 60 * 60_000)
const made = { acceptedAt: null, withdrawnAt: null, expiresAt: expiryOf(now) }

describe('an invitation', () => {
  it.each([
    ['at once', made, now, true],
    ['for seven days', made, new Date(days(7).getTime() - 1), true],
    ['not at their end', made, days(7), false],
    ['not twice', { ...made, acceptedAt: now }, now, false],
    ['not once it is withdrawn', { ...made, withdrawnAt: now }, now, false],
  ])('an invitation can be accepted %s', (_, invitation, at, expected) => {
    expect(isOpen(invitation, at)).toBe(expected)
  })

  it('a merchant sends at most 50 invitations within a day', () => {
    expect(mayInvite(Array(49).fill(now), now)).toBe(true)
    expect(mayInvite(Array(50).fill(now), now)).toBe(false)
    expect(mayInvite(Array(50).fill(now), days(1))).toBe(true)
  })
})

describe('a merchant', () => {
  const members = [
    { id: 'a', role: 'owner' },
    { id: 'b', role: 'support' },
  ] as const

  it.each([
    ['a', 'developer', false],
    ['a', null, false],
    ['a', 'owner', true],
    ['b', null, true],
    ['b', 'accountant', true],
  ] as const)('keeps an owner when %s becomes %s: %s', (id, next, expected) => {
    expect(keepsOwner(members, id, next)).toBe(expected)
  })

  it('a merchant with two owners can lose one of them', () => {
    const two = [...members, { id: 'c', role: 'owner' }] as const
    expect(keepsOwner(two, 'a', null)).toBe(true)
    expect(keepsOwner(two, 'a', 'support')).toBe(true)
  })
})
