import { describe, expect, it } from 'vitest'
import { isId } from '../../kernel/ids.ts'
import { newId, randomBase62 } from './identity.ts'

const moment = new Date('2026-11-20T10:00:00Z')

describe('new ids', () => {
  it('sort by creation, even within one second of a clock that stands still', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('order_', moment))
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(isId('order_', id)).toBe(true)
  })

  it('sort by the clock they were made on, independent of real time', () => {
    const later = newId('order_', new Date('2999-12-31T23:59:59Z'))
    expect(newId('order_', moment) < later).toBe(true)
  })
})

it('random text has the requested length and uses the whole alphabet', () => {
  expect(randomBase62(40)).toMatch(/^[0-9A-Za-z]{40}$/)
  expect(new Set(Array.from({ length: 200 }, () => randomBase62(40)).join('')).size).toBe(62)
})
