import { expect, it } from 'vitest'
import { isOnSale, type Product } from './product.ts'

const archivedAt = new Date('2026-11-16T09:00:00Z')

it.each([
  ['active', null, true],
  ['active', archivedAt, false],
  ['pending', null, false],
  ['rejected', null, false],
  ['pending', archivedAt, false],
] as const)('a product with status %s and archive time %s is on sale: %s', (status, at, expected) => {
  expect(isOnSale({ status, archivedAt: at } as Product)).toBe(expected)
})
