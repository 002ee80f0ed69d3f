import { invalid } from '../../../kernel/refusal.ts'
import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'
import { mostPerLine } from '../../orders/rules/order.ts'
import type { BillingLine } from './bill.ts'
import { amountOf, type PlanTerms, type Subscription, scheduledTerms, type Terms } from './subscription.ts'

/** A field that is null does not change. */
export interface Change {
  readonly plan: PlanTerms | null
  readonly price: Terms['price'] | null
  readonly quantity: number | null
  readonly prorate: boolean
  readonly applyImmediately: boolean
  readonly invoiceImmediately: boolean
  /** Midnight UTC of the day from which periods are counted. */
  readonly anchor: Date | null
  readonly resetAnchor: boolean
  readonly trialUntil: Date | null
}

export interface Changed {
  readonly next: Subscription
  readonly events: readonly ('subscription.updated' | 'subscription.update_scheduled')[]
  readonly lines: readonly BillingLine[]
  readonly period: 'new' | 'moved' | null
}

type AskedTerms = Pick<Change, 'plan' | 'price' | 'quantity'>

/** Throws `validation_failed` on a field of the request if a line would exceed 99,999,999.99. */
export function changedTerms(current: Terms, request: AskedTerms): Terms {
  const { plan, price, quantity } = request
  const terms = scheduledTerms(current, { plan, price, quantity })
  requireWithinLineLimit(terms, request)
  return terms
}

/** Throws `validation_failed` on a field of the request if a line would exceed 99,999,999.99. */
export function requireWithinLineLimit(terms: Terms, request: AskedTerms): void {
  const problem = lineProblem(terms)
  if (problem) throw invalid(amountField(request), problem)
}

export const amountField = ({ plan, price, quantity }: AskedTerms): 'quantity' | 'price' | 'subscriptionPlanId' =>
  quantity === null && price ? 'price' : quantity === null && plan ? 'subscriptionPlanId' : 'quantity'

export const lineProblem = (terms: Pick<Terms, 'price' | 'quantity'>): RuleProblem | null =>
  amountOf(terms) > mostPerLine ? ruleProblem('line_limit') : null
