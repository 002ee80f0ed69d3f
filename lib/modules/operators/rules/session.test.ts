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

describe('a session of an operator', () => {
  it.each([
    ['awaits the second factor for ten minutes', half, later(9), 'half'],
    ['is over without it', half, later(10), 'over'],
    ['is over when it is ended before', { ...half, endedAt: now }, now, 'over'],
    ['is open with it', open, later(29), 'open'],
    ['is over after half an hour without use', open, later(30), 'over'],
    ['is open while it is used', { ...open, lastUsedAt: later(719) }, later(719), 'open'],
    ['is over after twelve hours', { ...open, lastUsedAt: later(719) }, later(720), 'over'],
    ['is over once it is ended', { ...open, endedAt: now }, now, 'over'],
  ] as const)('%s', (_, session, at, state) => {
    expect(sessionState(session, at)).toBe(state)
  })
})

describe('the second factor of a session', () => {
  it.each([
    ['is fresh for a quarter of an hour', open, later(14), true],
    ['is not fresh then', open, later(15), false],
    ['is fresh again after another code', { ...open, confirmedAt: later(60) }, later(74), true],
    ['is not fresh a quarter of an hour after that', { ...open, confirmedAt: later(60) }, later(75), false],
    ['is not fresh before it was given', half, now, false],
  ] as const)('%s', (_, session, at, fresh) => {
    expect(isFresh(session, at)).toBe(fresh)
  })
})
