import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { type IntervalLimits, intervalCountProblem } from './interval.ts'
import type { Product, Terms } from './product.ts'

/** The fields of a PATCH; a missing field keeps its live value. */
export interface Changes {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly price?: Terms['price'] | undefined
  readonly productType?: Terms['productType'] | undefined
  readonly interval?: NonNullable<Terms['billingInterval']>['interval'] | undefined
  readonly intervalCount?: number | undefined
}

/**
 * An update is the full set of changes against the live item and replaces a pending one. Submitting the current values
 * withdraws the pending update. A rejected item becomes `pending` again. Refuses `update_under_review`, `plan_in_use`
 * on a changed interval, and `validation_failed` on an intervalCount over the interval's limit.
 */
export function submitUpdate(
  product: Product,
  changes: Changes,
  limits: IntervalLimits & { everUsed: boolean; now: Date },
): Product {
  if (product.review === 'reviewing') throw new Refusal('update_under_review')
  const terms = changedTerms(product.terms, changes)
  if (terms.billingInterval && product.terms.billingInterval) {
    const problem = intervalCountProblem(terms.billingInterval.interval, terms.billingInterval.intervalCount, limits)
    if (problem) throw invalid(problem.field, problem.sentence)
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
