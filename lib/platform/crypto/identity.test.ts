import { describe, expect, it, vi } from 'vitest'
import { isId, makeId } from '../../kernel/ids.ts'
import { newId, randomBase62 } from './identity.ts'

const moment = new Date('2026-11-20T10:00:00Z')

describe('the order of ids', () => {
  it('ids sort in the order of their creation, even if the test clock is stopped', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('order_', moment))
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(isId('order_', id)).toBe(true)
  })

  it('after the system clock was set back, new ids follow the corrected clock instead of the previous ids of the process', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 3_600_000 })
    const early = newId('order_', moment)
    vi.useRealTimers()
    const aMinuteAhead = BigInt(Date.now() + 60_000 - Date.UTC(2026, 0, 1)) * 1000n
    const elsewhere = makeId('order_', moment.getTime() / 1000, aMinuteAhead, 0n)
    const [first, second] = [newId('order_', moment), newId('order_', moment)]
    expect([elsewhere, second, first, early].sort()).toEqual([first, second, elsewhere, early])
  })

  it('ids sort by the given time, regardless of real time', () => {
    const later = newId('order_', new Date('2999-12-31T23:59:59Z'))
    expect(newId('order_', moment) < later).toBe(true)
  })
})

it('randomBase62 returns the requested length and uses all 62 characters', () => {
  expect(randomBase62(40)).toMatch(/^[0-9A-Za-z]{40}$/)
  const characters = Array.from({ length: 200 }, () => randomBase62(40)).join('')
  expect(new Set(characters).size).toBe(62)
})
