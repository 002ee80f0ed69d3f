import { amount } from '../../kernel/money.ts'
import { versionOf } from '../../platform/crypto/version-of.ts'
import type { Product } from './rules/product.ts'

/**
 * Identifies the terms that an approval would put on sale. A page carries it into the decision, and a form into the change:
 * somebody may change them between the two, and nobody decides on terms that they did not see or takes them back.
 */
export function termsVersion({ terms, pendingTerms }: Product): string {
  const { name, description, productType, price, billingInterval } = pendingTerms ?? terms
  return versionOf([name, description, productType, amount(price.minor, price.currency), billingInterval])
}
