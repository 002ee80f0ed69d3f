import type { z } from 'zod'
import { fromEuros } from '../../kernel/money.ts'
import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
import { RuleProblem, ruleProblem } from '../../kernel/rule-problem.ts'
import { isOnSale } from '../../modules/catalog/rules/index.ts'
import { findProducts } from '../../modules/catalog/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { newestRates } from '../../modules/exchange/rates.ts'
import { findPreview, type RequestedChange, type ReturnedPreview } from '../../modules/subscriptions/change-previews.ts'
import type { changeSubscription } from '../../modules/subscriptions/contract.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import { versionOf } from '../../platform/crypto/version-of.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import { asOfProblem } from './as-of.ts'
import { limitProblems } from './charge-limits.ts'
import type { Decided } from './decide.ts'

export type ChangeBody = z.infer<typeof changeSubscription.body & object>
type Where = Tenant & { readonly sql: Sql }

/** Runs while the subscription is locked. Refuses if the effect of the action differs from the effect that the page showed. */
export type Agreed = (tx: Transaction, subscription: rules.Subscription) => Promise<void>

/**
 * Like `Agreed`, but for a change. Returns the time for which the page computed the effect. Also returns the effect if
 * the function has computed it. The change then has exactly this effect.
 */
export type AgreedChange = (
  tx: Transaction,
  subscription: rules.Subscription,
  asked: rules.Change,
) => Promise<{ readonly at: Date; readonly decided: Decided | null }>

export interface Resolved {
  readonly asked: rules.Change
  readonly at: Date
  readonly problems: FieldErrors
  /** The preview of this change with the `asOf` of the request. Null if no such preview is stored. */
  readonly returned: ReturnedPreview | null
}

/** A preview (`isPreview`) may have an `asOf` in the second of the last change, because the preview computes the amounts again. */
export async function resolveChange(
  where: Where,
  subscription: rules.Subscription,
  body: WellFormed<ChangeBody>,
  now: Date,
  { isPreview = false } = {},
): Promise<Resolved> {
  const { asOf } = body
  const returned = asOf ? await findPreview(where.sql, requestedChange(subscription.id, body), asOf) : null
  const at = returned?.computedFor ?? asOf ?? now
  const resolved = await resolveAt(where, subscription, body, { at, now, isDated: Boolean(asOf) })
  if (!asOf) return { ...resolved, returned }
  const isReturned = returned !== null
  const wrong = await asOfProblem(where, subscription, asOf, { now, isReturned, isCompared: isReturned || isPreview })
  return { ...resolved, returned, problems: { ...resolved.problems, ...wrong } }
}

/** Computes the change as of `at`, without a check of `asOf`. If `isDated` is set, the price of a new plan uses the exchange rates of that time. */
export async function resolveAt(
  where: Where,
  subscription: rules.Subscription,
  body: WellFormed<ChangeBody>,
  { at, now, isDated }: { at: Date; now: Date; isDated: boolean },
): Promise<Omit<Resolved, 'returned'>> {
  const target = body.subscriptionPlanId
    ? await targetPlan(where, subscription, body.subscriptionPlanId, isDated ? { knownAt: inRealTime(at, now) } : {})
    : null
  const { currency } = subscription.price
  const asked: rules.Change = { ...termsIn(body), plan: target instanceof RuleProblem ? null : target }
  const isForeign = asked.price !== null && asked.price.currency !== currency
  const problems = {
    ...(!isForeign && limitProblems(subscription, asked, now)),
    ...rules.changeProblems(subscription, asked, now),
    ...(target instanceof RuleProblem && { subscriptionPlanId: [target] }),
    ...(isForeign && { 'price.currency': [ruleProblem('subscription_currency', { currency })] }),
  }
  return { asked, at, problems }
}

const termsIn = (body: WellFormed<ChangeBody>): Omit<rules.Change, 'plan'> => ({
  price: body.price ?? null,
  quantity: body.quantity ?? null,
  anchor: body.anchor ?? null,
  trialUntil: body.trialUntil ?? null,
  prorate: body.prorate ?? true,
  applyImmediately: body.applyImmediately ?? false,
  invoiceImmediately: body.invoiceImmediately ?? false,
  resetAnchor: body.resetAnchor ?? false,
})

/** Two bodies are the same change if they differ only in their metadata, their `asOf`, or in how they express a default value. */
export const requestedChange = (subscriptionId: string, body: WellFormed<ChangeBody>): RequestedChange => ({
  subscriptionId,
  request: versionOf([body.subscriptionPlanId ?? null, termsIn(body)]),
})

/** Refuses with `validation_failed` if a value of the change is invalid. */
export async function resolveOrRefuse(...of: Parameters<typeof resolveChange>): Promise<Resolved> {
  const resolved = await resolveChange(...of)
  if (Object.keys(resolved.problems).length > 0) throw new Refusal('validation_failed', resolved.problems)
  return resolved
}

const inRealTime = (moment: Date, now: Date): Date => new Date(realNow().getTime() - (now.getTime() - moment.getTime()))

/** Returns the plan, or the problem that says why the switch is impossible. If `knownAt` is set, the price uses the exchange rates of that time. */
async function targetPlan(
  { sql, ...tenant }: Where,
  subscription: rules.Subscription,
  planId: string,
  ratesKnown: { readonly knownAt?: Date },
): Promise<rules.PlanTerms | RuleProblem> {
  if (planId === subscription.planId) return rules.planOf(subscription)
  const { currency } = subscription.price
  const { taxBehavior } = subscription
  const plan = (await findProducts(sql, tenant, [planId])).get(planId)
  const billingInterval = plan?.terms.billingInterval
  if (!plan || !billingInterval) return ruleProblem('plan_missing')
  if (plan.archivedAt) return ruleProblem('plan_archived')
  if (!isOnSale(plan)) return ruleProblem('plan_status', { status: plan.status })
  if (plan.taxBehavior !== taxBehavior) return ruleProblem('plan_tax', { behavior: taxBehavior })
  const { name, description, price } = plan.terms
  const rates = await newestRates(sql, tenant, ratesKnown.knownAt ?? realNow(), ratesKnown)
  const converted = { minor: fromEuros(price.minor, rates[currency].rate), currency }
  return { planId, name, description, price: converted, billingInterval }
}
