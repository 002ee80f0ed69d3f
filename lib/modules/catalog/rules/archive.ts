import type { Product } from './product.ts'

/** Takes an item off sale; existing subscribers and checkouts stay. Archiving twice does not move `archivedAt`. */
export const archive = (product: Product, now: Date): Product =>
  product.archivedAt === null ? { ...product, archivedAt: now } : product

/** Puts it back on sale. */
export const unarchive = (product: Product): Product =>
  product.archivedAt === null ? product : { ...product, archivedAt: null }
