import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { fromEuros } from '../../kernel/money.ts'
import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
import { RuleProblem, ruleProblem } from '../../kernel/rule-problem.ts'
import { isOnSale } from '../../modules/catalog/rules/index.ts'
import { findProducts } from '../../modules/catalog/store.ts'
import { lastEventAt } from '../../modules/events/last-event.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { newestRates } from '../../modules/exchange/rates.ts'
import type { changeSubscription } from '../../modules/subscriptions/contract.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import { limitProblems } from './charge-limits.ts'

export type ChangeBody = z.infer<typeof changeSubscription.body & object>
type Where = Tenant & { readonly sql: Sql }

/**
 * Runs while the subscription is locked. Refuses if the effect of the change differs from the effect that the page showed. Returns the time for which the page
 * computed the effect.
 */
export type Agreed<Asked = void> = (tx: Transaction, subscription: rules.Subscription, asked: Asked) => Promise<Date>

export interface Resolved {
  readonly asked: rules.Change
  readonly at: Date
  readonly problems: FieldErrors
}

export async function resolveChange(
  where: Where,
  subscription: rules.Subscription,
  body: WellFormed<ChangeBody>,
  now: Date,
): Promise<Resolved> {
  const at = body.asOf ?? now
  const target = body.subscriptionPlanId
    ? await targetPlan(where, subscription, body.subscriptionPlanId, body.asOf ? { knownAt: inRealTime(at, now) } : {})
    : null
  const { currency } = subscription.price
  const asked: rules.Change = {
    plan: target instanceof RuleProblem ? null : target,
    price: body.price ?? null,
    quantity: body.quantity ?? null,
    anchor: body.anchor ?? null,
    trialUntil: body.trialUntil ?? null,
    prorate: body.prorate ?? true,
    applyImmediately: body.applyImmediately ?? false,
    invoiceImmediately: body.invoiceImmediately ?? false,
    resetAnchor: body.resetAnchor ?? false,
  }
  const isForeign = asked.price !== null && asked.price.currency !== currency
  const problems = {
    ...(!isForeign && limitProblems(subscription, asked, now)),
    ...rules.changeProblems(subscription, asked, now),
    ...(target instanceof RuleProblem && { subscriptionPlanId: [target] }),
    ...(isForeign && { 'price.currency': [ruleProblem('subscription_currency', { currency })] }),
    ...(body.asOf && (await asOfProblem(where, subscription, body.asOf, now))),
  }
  return { asked, at, problems }
}

/**
 * `agreed` compares the change with the page that showed it, and returns the time of that page. Refuses with `validation_failed` if a value of the change is
 * invalid.
 */
export async function resolveOrRefuse<At extends Where>(
  where: At,
  subscription: rules.Subscription,
  body: ChangeBody,
  now: Date,
  agreed?: (where: At, subscription: rules.Subscription, asked: rules.Change) => Promise<Date>,
): Promise<Pick<Resolved, 'asked' | 'at'>> {
  const { asked, at, problems } = await resolveChange(where, subscription, body, now)
  if (Object.keys(problems).length > 0) throw new Refusal('validation_failed', problems)
  return { asked, at: agreed ? await agreed(where, subscription, asked) : at }
}

const inRealTime = (moment: Date, now: Date): Date => new Date(realNow().getTime() - (now.getTime() - moment.getTime()))

const mostHours = 1

async function asOfProblem(
  { sql, ...tenant }: Where,
  { id }: rules.Subscription,
  asOf: Date,
  now: Date,
): Promise<FieldErrors> {
  const refused = (sentence: string) => ({ asOf: [sentence] })
  if (asOf > now) return refused(`Must not be in the future: it is ${toWire(now)}.`)
  const oldest = new Date(now.getTime() - mostHours * 3_600_000)
  if (asOf < oldest) return refused(`Must be at most one hour old: not before ${toWire(oldest)}.`)
  const changedAt = await lastEventAt(sql, tenant, id)
  return changedAt && asOf < changedAt
    ? refused(`Must not be before the last change of the subscription, ${toWire(changedAt)}. Preview the change again.`)
    : {}
}

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
