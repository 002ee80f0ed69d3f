import { describe, expect, it } from 'vitest'
import { isReverseCharge, reverseCharge } from './decision.ts'

const vat = { rate: { name: 'VAT', percentage: '20' } }

describe('a reverse charge', () => {
  it.each([
    { taxes: [{ rate: reverseCharge }], expected: true },
    { taxes: [vat, { rate: { name: 'Reverse charge', percentage: '0' } }], expected: true },
    { taxes: [vat], expected: false },
    { taxes: [{ rate: { name: 'VAT', percentage: '0' } }], expected: false },
    { taxes: [], expected: false },
  ])('is known by the name of a rate, whatever its percentage: $expected', ({ taxes, expected }) => {
    expect(isReverseCharge(taxes)).toBe(expected)
  })
})
