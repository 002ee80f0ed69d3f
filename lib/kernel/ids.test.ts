import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base62FromBytes, isId, makeId } from './ids.ts'

const second = fc.integer({ min: 0, max: 32_503_679_999 }) // The maximum is the last second of the year 2999.
const microsecond = fc.bigInt({ min: 0n, max: 2n ** 50n - 1n })
const random = fc.bigInt({ min: 0n, max: 2n ** 44n - 1n })

describe('ids', () => {
  it('an id has a prefix and 22 characters of base62', () => {
    fc.assert(
      fc.property(second, microsecond, random, (s, m, r) => {
        expect(makeId('order_', s, m, r)).toMatch(/^order_[0-9A-Za-z]{22}$/)
      }),
    )
  })

  it('an id encodes 36 bits of seconds, 50 bits of microseconds, and 44 random bits in base62', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const numberOf = (text: string) => [...text].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n)
    fc.assert(
      fc.property(second, microsecond, random, (s, m, r) => {
        expect(numberOf(makeId('order_', s, m, r).slice(6))).toBe((BigInt(s) << 94n) | (m << 44n) | r)
      }),
    )
  })

  it('ids sort by second, then by order of creation', () => {
    fc.assert(
      fc.property(second, microsecond, random, second, microsecond, random, (s1, m1, r1, s2, m2, r2) => {
        fc.pre(s1 !== s2 || m1 !== m2)
        const isBefore = s1 < s2 || (s1 === s2 && m1 < m2)
        expect(makeId('order_', s1, m1, r1) < makeId('order_', s2, m2, r2)).toBe(isBefore)
      }),
    )
  })

  it.each([
    ['order_0000000000000000000001', true],
    ['order_000000000000000000001', false],
    ['order_00000000000000000000001', false],
    ['order_000000000000000000000-', false],
    ['order_item_0000000000000000000001', false],
    ['customer_0000000000000000000001', false],
    ['', false],
  ])('isId() for the prefix order_ and the text "%s" returns %s', (text, expected) => {
    expect(isId('order_', text)).toBe(expected)
  })

  it('base62FromBytes() skips bytes of 248 and above, so that all characters are equally likely', () => {
    expect(base62FromBytes(Uint8Array.of(0, 61, 62, 247, 248, 255, 1), 5)).toBe('0z0z1')
    expect(() => base62FromBytes(Uint8Array.of(255), 1)).toThrow('not enough')
  })
})
