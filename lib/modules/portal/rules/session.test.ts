import { describe, expect, it } from 'vitest'
import { isOpen, linkState, newSession, type PortalSession } from './session.ts'

const now = new Date('2026-11-20T10:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const made = newSession({ id: 'portal_session_1', customerId: 'customer_1', returnUrl: null }, 'merchant', now)
const redeemed: PortalSession = { ...made, redeemedAt: now, lastUsedAt: now }

describe('links', () => {
  it.each([
    ['merchant', '2026-11-20T10:15:00Z'],
    ['email', '2026-11-21T10:00:00Z'],
  ] as const)('a portal link of the kind %s expires at %s', (lifetime, end) => {
    expect(newSession(made, lifetime, now).expiresAt).toEqual(new Date(end))
  })

  it.each([
    ['usable immediately after its creation', made, now, 'usable'],
    ['usable in its last second', made, later(15 * 60_000 - 1000), 'usable'],
    ['expired at its expiry time', made, later(15 * 60_000), 'expired'],
    ['expired if it was ended before its expiry time', { ...made, endedAt: now }, now, 'expired'],
    ['used after it was redeemed, even after its expiry time', redeemed, later(24 * 60 * 60_000), 'used'],
  ] as const)('the state of a portal link is %s', (_, session, at, state) => {
    expect(linkState(session, at)).toBe(state)
  })
})

describe('sessions', () => {
  it.each([
    [made, now, false],
    [redeemed, now, true],
    [redeemed, later(60 * 60_000 - 1), true],
    [redeemed, later(60 * 60_000), false],
    [{ ...redeemed, lastUsedAt: later(12 * 60 * 60_000) }, later(12 * 60 * 60_000), false],
  ] as const)('the portal session %j is open at %s: %s', (session, at, open) => {
    expect(isOpen(session, at)).toBe(open)
  })
})
