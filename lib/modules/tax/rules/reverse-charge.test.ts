import { describe, expect, it } from 'vitest'
import { isReverseCharge, reverseCharge } from './reverse-charge.ts'

const vat = { rate: { name: 'VAT', percentage: '20' } }

describe('isReverseCharge', () => {
  it.each([
    { taxes: [{ rate: reverseCharge }], expected: true },
    { taxes: [vat, { rate: { name: 'Reverse charge', percentage: '0' } }], expected: true },
    { taxes: [vat], expected: false },
    { taxes: [{ rate: { name: 'VAT', percentage: '0' } }], expected: false },
    { taxes: [], expected: false },
  ])('isReverseCharge returns $expected for the taxes $taxes', ({ taxes, expected }) => {
    expect(isReverseCharge(taxes)).toBe(expected)
  })
})
