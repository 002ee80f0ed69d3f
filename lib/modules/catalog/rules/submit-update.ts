import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { type IntervalLimits, intervalCountProblem } from './interval.ts'
import type { Product, Terms } from './product.ts'

export interface Changes {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly price?: Terms['price'] | undefined
  readonly productType?: Terms['productType'] | undefined
  readonly interval?: NonNullable<Terms['billingInterval']>['interval'] | undefined
  readonly intervalCount?: number | undefined
}

/**
 * Throws `update_under_review` during a review, `plan_in_use` if the interval of a used plan changes, and `validation_failed` if
 * `intervalCount` exceeds its limit.
 */
export function submitUpdate(
  product: Product,
  changes: Changes,
  limits: IntervalLimits & { everUsed: boolean; now: Date },
): Product {
  if (product.review === 'reviewing') throw new Refusal('update_under_review')
  const terms = changedTerms(product.terms, changes)
  if (terms.billingInterval && product.terms.billingInterval) {
    const found = intervalCountProblem(terms.billingInterval.interval, terms.billingInterval.intervalCount, limits)
    if (found) throw invalid(found.field, found.problem)
    if (limits.everUsed && terms.billingInterval.interval !== product.terms.billingInterval.interval)
      throw new Refusal('plan_in_use')
  }
  const differs = differingFields(product.terms, terms).length > 0
  const isNew = product.status !== 'active'
  const review = differs || isNew ? 'pending' : null
  return {
    ...product,
    status: product.status === 'rejected' ? 'pending' : product.status,
    pendingTerms: differs ? terms : null,
    review,
    submittedAt: review && (product.submittedAt ?? limits.now),
  }
}

function changedTerms(live: Terms, changes: Changes): Terms {
  const interval = changes.interval ?? live.billingInterval?.interval
  const intervalCount = interval === 'year' ? 1 : (changes.intervalCount ?? live.billingInterval?.intervalCount)
  return {
    name: changes.name ?? live.name,
    description: changes.description ?? live.description,
    price: changes.price ?? live.price,
    productType: changes.productType ?? live.productType,
    billingInterval: live.billingInterval && interval && intervalCount ? { interval, intervalCount } : null,
  }
}

const fields = {
  name: (a: Terms, b: Terms) => a.name === b.name,
  description: (a: Terms, b: Terms) => a.description === b.description,
  basePrice: (a: Terms, b: Terms) => a.price.minor === b.price.minor && a.price.currency === b.price.currency,
  productType: (a: Terms, b: Terms) => a.productType === b.productType,
  interval: (a: Terms, b: Terms) => a.billingInterval?.interval === b.billingInterval?.interval,
  intervalCount: (a: Terms, b: Terms) => a.billingInterval?.intervalCount === b.billingInterval?.intervalCount,
} as const

export type TermsField = keyof typeof fields

export const differingFields = (live: Terms, other: Terms): TermsField[] =>
  (Object.keys(fields) as TermsField[]).filter((field) => !fields[field](live, other))
