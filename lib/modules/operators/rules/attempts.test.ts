import { describe, expect, it } from 'vitest'
import { afterFailure, type Failures, isLocked, type Limit, lockedForMs, type Purpose } from './attempts.ts'

const start = new Date('2026-11-28T10:00:00Z')
const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
const none: Failures = { count: 0, since: start, lockedUntil: null }
const failed = (limit: Limit, purpose: Purpose, times: number, now = start, before = none) => {
  let failures = before
  for (let n = 0; n < times; n++) failures = afterFailure(limit, purpose, failures, now)
  return failures
}

describe('sources', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 60_000],
    [6, 120_000],
    [8, 480_000],
    [9, 900_000],
    [1000, 900_000],
  ])('a source of log-in attempts with %i consecutive failures is locked for %i ms', (failures, ms) => {
    expect(lockedForMs(failures)).toBe(ms)
  })

  it('a source of log-in attempts is locked for one minute after the fifth failure', () => {
    expect(failed('source', 'password', 4).lockedUntil).toBeNull()
    const locked = failed('source', 'password', 5)
    expect([isLocked(locked, at(0.9)), isLocked(locked, at(1))]).toEqual([true, false])
  })

  it('the count of failed log-in attempts of a source starts again after a day', () => {
    const four = failed('source', 'password', 4)
    expect(afterFailure('source', 'password', four, at(24 * 60)).count).toBe(1)
    expect(afterFailure('source', 'password', four, at(24 * 60 - 1)).count).toBe(5)
  })
})

describe('accounts', () => {
  it.each([
    ['password', 30],
    ['code', 15],
  ] as const)(
    'an account is locked for unknown browsers after too many wrong attempts (%s: %i per hour)',
    (purpose, most) => {
      expect(failed('account', purpose, most - 1).lockedUntil).toBeNull()
      const locked = failed('account', purpose, most, at(59), failed('account', purpose, 1))
      expect(locked.lockedUntil).toEqual(at(60))
      expect(afterFailure('account', purpose, locked, at(60))).toEqual({ count: 1, since: at(60), lockedUntil: null })
    },
  )

  it('wrong codes from one IP address for two days do not lock the account', () => {
    let [source, account] = [failed('source', 'code', 5), failed('account', 'code', 5)]
    for (let minute = 60; minute < 48 * 60; minute++) {
      if (isLocked(source, at(minute))) continue
      source = afterFailure('source', 'code', source, at(minute))
      account = afterFailure('account', 'code', account, at(minute))
      expect(account.lockedUntil).toBeNull()
    }
  })
})
