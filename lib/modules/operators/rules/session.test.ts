import { describe, expect, it } from 'vitest'
import { isFresh, type OperatorSession, sessionState } from './session.ts'

const now = new Date('2026-11-20T10:00:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const half: OperatorSession = {
  id: 'operator_session_1',
  operatorId: 'operator_1',
  address: '203.0.113.9',
  browser: 'Test',
  createdAt: now,
  verifiedAt: null,
  confirmedAt: null,
  lastUsedAt: now,
  endedAt: null,
}
const open = { ...half, verifiedAt: now }

describe('sessions', () => {
  it.each([
    ['a session with only a password waits for the second factor', half, later(9), 'half'],
    ['a session without a second factor ends after ten minutes', half, later(10), 'over'],
    ['a session is over if it was ended before the second factor', { ...half, endedAt: now }, now, 'over'],
    ['a session with the second factor is open', open, later(29), 'open'],
    ['a session ends after half an hour without use', open, later(30), 'over'],
    [
      'a session in use is open until twelve hours have passed',
      { ...open, lastUsedAt: later(719) },
      later(719),
      'open',
    ],
    ['a session ends after twelve hours', { ...open, lastUsedAt: later(719) }, later(720), 'over'],
    ['a session that was ended is over', { ...open, endedAt: now }, now, 'over'],
  ] as const)('sessionState() returns the state of a log-in session: %s', (_, session, at, state) => {
    expect(sessionState(session, at)).toBe(state)
  })
})

describe('second factors', () => {
  it.each([
    ['a second factor is recent for 15 minutes', open, later(14), true],
    ['a second factor is not recent after 15 minutes', open, later(15), false],
    ['a second factor is recent after another code', { ...open, confirmedAt: later(60) }, later(74), true],
    [
      'a second factor is not recent 15 minutes after the last code',
      { ...open, confirmedAt: later(60) },
      later(75),
      false,
    ],
    ['a session without a second factor has no recent second factor', half, now, false],
  ] as const)('a second factor is recent for 15 minutes after a correct code: %s', (_, session, at, fresh) => {
    expect(isFresh(session, at)).toBe(fresh)
  })
})
