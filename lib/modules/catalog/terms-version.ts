import { amount } from '../../kernel/money.ts'
import { versionOf } from '../../platform/crypto/version-of.ts'
import type { Product } from './rules/product.ts'

/** Returns the version of the terms: a hash. A form sends this hash back, so that nobody approves or overwrites terms that the form did not show. */
export function termsVersion({ terms, pendingTerms }: Product): string {
  const { name, description, productType, price, billingInterval } = pendingTerms ?? terms
  return versionOf([name, description, productType, amount(price.minor, price.currency), billingInterval])
}
