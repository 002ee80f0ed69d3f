import { describe, expect, it } from 'vitest'
import { expiryOf, isOpen, keepsOwner, logInEmail, mayInvite } from './invitation.ts'

const now = new Date('2026-11-20T10:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 24 * 60 * 60_000)
const made = { acceptedAt: null, withdrawnAt: null, expiresAt: expiryOf(now) }

describe('invitations', () => {
  it.each([
    ['can be accepted immediately after it was sent', made, now, true],
    ['can be accepted until seven days have passed', made, new Date(days(7).getTime() - 1), true],
    ['cannot be accepted after seven days', made, days(7), false],
    ['cannot be accepted twice', { ...made, acceptedAt: now }, now, false],
    ['cannot be accepted after it was withdrawn', { ...made, withdrawnAt: now }, now, false],
  ])('an invitation to become a member %s', (_, invitation, at, expected) => {
    expect(isOpen(invitation, at)).toBe(expected)
  })

  it('a merchant can send 50 invitations per day', () => {
    expect(mayInvite(Array(49).fill(now), now)).toBe(true)
    expect(mayInvite(Array(50).fill(now), now)).toBe(false)
    expect(mayInvite(Array(50).fill(now), days(1))).toBe(true)
  })
})

describe('the email address of a new log-in', () => {
  it('the email address of a new log-in is stored in canonical form', () => {
    expect(logInEmail(' Ada@Example.COM ')).toBe('ada@example.com')
  })

  it.each(['', 'ada', 'ada@', 'ada@localhost'])(
    'the text "%s" is refused as the email address of a new log-in',
    (typed) => {
      expect(() => logInEmail(typed)).toThrow(
        expect.objectContaining({ code: 'validation_failed', on: { email: ['Must be an email address.'] } }),
      )
    },
  )
})

describe('owners', () => {
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
  ] as const)('after the role of member %s is set to %s, the merchant has an owner: %s', (id, next, expected) => {
    expect(keepsOwner(members, id, next)).toBe(expected)
  })

  it('a merchant with two owners has an owner after one owner is removed', () => {
    const two = [...members, { id: 'c', role: 'owner' }] as const
    expect(keepsOwner(two, 'a', null)).toBe(true)
    expect(keepsOwner(two, 'a', 'support')).toBe(true)
  })
})
