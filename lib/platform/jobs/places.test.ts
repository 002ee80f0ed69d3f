import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Held, roomFor } from './places.ts'

const none: Held = { ofStream: 0, ofStorefront: 0, ofProcess: 0 }

function taken(streams: readonly { storefront: string }[]): number[] {
  const held = new Map<string, number>()
  let all = 0
  return streams.map(({ storefront }) => {
    const own = held.get(storefront) ?? 0
    const room = roomFor({ ofStream: 0, ofStorefront: own, ofProcess: all })
    held.set(storefront, own + room)
    all += room
    return room
  })
}

describe('delivery slots', () => {
  it('a single endpoint gets 32 delivery slots in total', () => {
    expect(roomFor(none)).toBe(32)
    expect(roomFor({ ofStream: 20, ofStorefront: 20, ofProcess: 20 })).toBe(12)
    expect(roomFor({ ofStream: 32, ofStorefront: 32, ofProcess: 32 })).toBe(0)
  })

  it('each of ten hanging endpoints of a storefront gets at least two delivery slots', () => {
    const ten = taken(Array.from({ length: 10 }, () => ({ storefront: 'a' })))
    expect(ten).toEqual([32, 24, 18, 13, 10, 7, 6, 4, 3, 2])
  })

  it('a storefront gets 32 delivery slots while 40 endpoints of another storefront hang', () => {
    const hanging = Array.from({ length: 40 }, () => ({ storefront: 'a' }))
    expect(taken([...hanging, { storefront: 'b' }]).at(-1)).toBe(32)
  })

  it('a storefront gets at least four delivery slots while all endpoints of ten other storefronts hang', () => {
    const hanging = Array.from({ length: 10 }, (_, n) => Array.from({ length: 10 }, () => ({ storefront: `${n}` })))
    expect(taken([...hanging.flat(), { storefront: 'next' }]).at(-1)).toBeGreaterThanOrEqual(4)
  })

  it('the number of delivery slots is never negative and never exceeds any limit', () => {
    const counts = fc.tuple(fc.nat(64), fc.nat(300), fc.nat(2_000))
    fc.assert(
      fc.property(counts, ([ofStream, others, elsewhere]) => {
        const ofStorefront = ofStream + others
        const room = roomFor({ ofStream, ofStorefront, ofProcess: ofStorefront + elsewhere })
        expect(room).toBeGreaterThanOrEqual(0)
        if (room > 0) {
          expect(ofStream + room).toBeLessThanOrEqual(32)
          expect(ofStorefront + room).toBeLessThanOrEqual(128)
          expect(ofStorefront + elsewhere + room).toBeLessThanOrEqual(1_024)
        }
      }),
    )
  })
})
