import type { Product } from './product.ts'

/** Takes an item off sale; existing subscribers and checkouts stay. A repeated call does not change `archivedAt`. */
export const archive = (product: Product, now: Date): Product =>
  product.archivedAt === null ? { ...product, archivedAt: now } : product

/** Puts an item back on sale. */
export const unarchive = (product: Product): Product =>
  product.archivedAt === null ? product : { ...product, archivedAt: null }
