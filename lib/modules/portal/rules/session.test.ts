import { describe, expect, it } from 'vitest'
import {
  idleMs,
  isNewUse,
  isOpen,
  linkState,
  longestMs,
  mayAskAgain,
  newSession,
  type PortalSession,
  recordedEveryMs,
} from './session.ts'

const now = new Date('2026-11-20T10:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const made = newSession({ id: 'portal_session_1', customerId: 'customer_1', returnUrl: null }, 'merchant', now)
const redeemed: PortalSession = { ...made, redeemedAt: now, lastUsedAt: now }

describe('a link to the portal', () => {
  it.each([
    ['merchant', '2026-11-20T10:15:00Z'],
    ['email', '2026-11-21T10:00:00Z'],
  ] as const)('of the kind %s ends at %s', (lifetime, end) => {
    expect(newSession(made, lifetime, now).expiresAt).toEqual(new Date(end))
  })

  it.each([
    ['usable at once', made, now, 'usable'],
    ['usable in its last second', made, later(15 * 60_000 - 1000), 'usable'],
    ['expired at its end', made, later(15 * 60_000), 'expired'],
    ['expired when it was ended before', { ...made, endedAt: now }, now, 'expired'],
    ['used once it is redeemed, also after its end', redeemed, later(longestMs), 'used'],
  ] as const)('is %s', (_, session, at, state) => {
    expect(linkState(session, at)).toBe(state)
  })
})

describe('a browser session', () => {
  it.each([
    ['not open before the link is redeemed', made, now, false],
    ['open at once', redeemed, now, true],
    ['open until an hour without use', redeemed, later(idleMs - 1), true],
    ['over after an hour without use', redeemed, later(idleMs), false],
    ['open while it is used', { ...redeemed, lastUsedAt: later(longestMs - 2) }, later(longestMs - 1), true],
    [
      'over after twelve hours, even if it is used',
      { ...redeemed, lastUsedAt: later(longestMs) },
      later(longestMs),
      false,
    ],
    ['over once it is ended', { ...redeemed, endedAt: now }, now, false],
  ] as const)('is %s', (_, session, at, open) => {
    expect(isOpen(session, at)).toBe(open)
  })

  it('has a use recorded once a minute', () => {
    expect(isNewUse(redeemed, later(recordedEveryMs - 1))).toBe(false)
    expect(isNewUse(redeemed, later(recordedEveryMs))).toBe(true)
    expect(isNewUse(made, now)).toBe(true)
  })
})

describe('another link by email', () => {
  const ago = (minutes: number) => later(-minutes * 60_000)
  it.each([
    [[], true],
    [[ago(0), ago(1)], true],
    [[ago(0), ago(1), ago(14)], false],
    [[ago(0), ago(1), ago(15)], true],
  ])('after those of %j is allowed: %s', (made, allowed) => {
    expect(mayAskAgain(made, now)).toBe(allowed)
  })
})
