import { describe, expect, it } from 'vitest'
import { rangeProblem } from './range.ts'

const together = 'Send both minQuantity and maxQuantity, or neither.'

describe('range', () => {
  it.each([
    [{}],
    [{ quantity: 5 }],
    [{ quantity: 5, minQuantity: null, maxQuantity: null }],
    [{ minQuantity: 1, maxQuantity: 2 }],
    [{ quantity: 1, minQuantity: 1, maxQuantity: 999_999 }],
    [{ quantity: 999_999, minQuantity: 1, maxQuantity: 999_999 }],
  ])('the quantity range %o of a payment link item is valid', (item) => {
    expect(rangeProblem(item)).toBeNull()
  })

  it.each([
    [{ minQuantity: 1 }, 'maxQuantity', together],
    [{ minQuantity: 1, maxQuantity: null }, 'maxQuantity', together],
    [{ maxQuantity: 9 }, 'minQuantity', together],
    [{ minQuantity: null, maxQuantity: 9 }, 'minQuantity', together],
    [{ minQuantity: 5, maxQuantity: 5 }, 'maxQuantity', 'Must be greater than minQuantity.'],
    [{ minQuantity: 5, maxQuantity: 4 }, 'maxQuantity', 'Must be greater than minQuantity.'],
    [{ quantity: 4, minQuantity: 5, maxQuantity: 9 }, 'quantity', 'Must be from minQuantity to maxQuantity.'],
    [{ quantity: 10, minQuantity: 5, maxQuantity: 9 }, 'quantity', 'Must be from minQuantity to maxQuantity.'],
  ])('the quantity range %o of a payment link item is refused with an error on %s', (item, field, message) => {
    const found = rangeProblem(item)
    expect({ field: found?.field, message: String(found?.problem) }).toEqual({ field, message })
  })

  it.each([
    [{ minQuantity: 0, maxQuantity: 9 }],
    [{ minQuantity: 1_000_000, maxQuantity: 9 }],
    [{ quantity: 0, minQuantity: 1, maxQuantity: 9 }],
  ])('the check of a quantity range ignores a number outside the limits of the schema: %o', (item) => {
    expect(rangeProblem(item)).toBeNull()
  })
})
