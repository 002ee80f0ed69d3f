import { describe, expect, it } from 'vitest'
import { isNewUse, isSessionOpen, recordedEveryMs } from './browser-session.ts'

const now = new Date('2026-11-20T10:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const limits = { idleMs: 3_600_000, longestMs: 12 * 3_600_000 }
const { idleMs, longestMs } = limits
const begun = { startedAt: now, lastUsedAt: now, endedAt: null }

describe('a browser session', () => {
  it.each([
    ['not open before it begins', { ...begun, startedAt: null, lastUsedAt: null }, now, false],
    ['open immediately after it begins', begun, now, true],
    ['open until the end of the idle time', begun, later(idleMs - 1), true],
    ['closed at the end of the idle time', begun, later(idleMs), false],
    ['open while it is in use', { ...begun, lastUsedAt: later(longestMs - 2) }, later(longestMs - 1), true],
    [
      'closed at its maximum lifetime, even if it is in use',
      { ...begun, lastUsedAt: later(longestMs) },
      later(longestMs),
      false,
    ],
    ['closed after the user ends the session', { ...begun, endedAt: now }, now, false],
  ] as const)('a browser session is %s', (_, session, at, open) => {
    expect(isSessionOpen(session, limits, at)).toBe(open)
  })

  it('a browser session stores its last use at most once per minute', () => {
    expect(isNewUse(begun, later(recordedEveryMs - 1))).toBe(false)
    expect(isNewUse(begun, later(recordedEveryMs))).toBe(true)
    expect(isNewUse({ lastUsedAt: null }, now)).toBe(true)
  })
})
