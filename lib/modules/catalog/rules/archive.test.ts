import { describe, expect, it } from 'vitest'
import { archive, unarchive } from './archive.ts'
import { isOnSale, type Product } from './product.ts'

const product = { status: 'active', archivedAt: null } as Product
const monday = new Date('2026-11-16T09:00:00Z')
const tuesday = new Date('2026-11-17T09:00:00Z')

describe('archiving', () => {
  it('archiving a product twice preserves the first archive time', () => {
    const archived = archive(product, monday)
    expect(archived).toEqual({ ...product, archivedAt: monday })
    expect(isOnSale(archived)).toBe(false)
    expect(archive(archived, tuesday)).toBe(archived)
  })

  it('unarchiving restores an archived product, and does not change a product that is not archived', () => {
    expect(unarchive(archive(product, monday))).toEqual(product)
    expect(unarchive(product)).toBe(product)
  })
})
