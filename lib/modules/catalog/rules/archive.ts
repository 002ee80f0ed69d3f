import type { Product } from './product.ts'

export const archive = (product: Product, now: Date): Product =>
  product.archivedAt === null ? { ...product, archivedAt: now } : product

export const unarchive = (product: Product): Product =>
  product.archivedAt === null ? product : { ...product, archivedAt: null }
