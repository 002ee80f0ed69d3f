import { describe, expect, it } from 'vitest'
import { isLocked, lockedForMs } from './lock.ts'

describe('an account after failed log-ins', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 60_000],
    [6, 120_000],
    [8, 480_000],
    [9, 900_000],
    [10, 900_000],
    [100_000, 900_000],
  ])('%i is locked for %i ms', (failures, ms) => {
    expect(lockedForMs(failures)).toBe(ms)
  })

  it('is locked until the end, not at the end', () => {
    const end = new Date('2026-11-20T10:00:00Z')
    expect(isLocked({ lockedUntil: end }, new Date(end.getTime() - 1))).toBe(true)
    expect(isLocked({ lockedUntil: end }, end)).toBe(false)
    expect(isLocked({ lockedUntil: null }, end)).toBe(false)
  })
})
