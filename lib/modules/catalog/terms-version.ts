import { amount } from '../../kernel/money.ts'
import { versionOf } from '../../platform/crypto/version-of.ts'
import type { Product } from './rules/product.ts'

/** Forms send back the version of the terms, so nobody decides on unseen terms or overwrites them. */
export function termsVersion({ terms, pendingTerms }: Product): string {
  const { name, description, productType, price, billingInterval } = pendingTerms ?? terms
  return versionOf([name, description, productType, amount(price.minor, price.currency), billingInterval])
}
