import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { fromEuros } from '../../kernel/money.ts'
import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
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
 * The effect that somebody agreed to on a page. Refuses, with the subscription locked, if the effect has changed.
 * Returns the moment for which the page showed it.
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
    plan: typeof target === 'string' ? null : target,
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
    ...(typeof target === 'string' && { subscriptionPlanId: [target] }),
    ...(isForeign && { 'price.currency': [`Must be the subscription's own currency, ${currency}.`] }),
    ...(body.asOf && (await asOfProblem(where, subscription, body.asOf, now))),
  }
  return { asked, at, problems }
}

/** Refuses `validation_failed`. `agreed` returns the moment of a change that a page has shown. */
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

/** The subscription must be the same as at the moment of the change. */
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

/**
 * In the subscription's currency, or a sentence on why the switch is impossible. The current plan is no switch: it
 * keeps the terms with which it was bought. With `knownAt`, its price has the exchange rates of that moment.
 */
async function targetPlan(
  { sql, ...tenant }: Where,
  subscription: rules.Subscription,
  planId: string,
  ratesKnown: { readonly knownAt?: Date },
): Promise<rules.PlanTerms | string> {
  if (planId === subscription.planId) return rules.planOf(subscription)
  const { currency } = subscription.price
  const { taxBehavior } = subscription
  const plan = (await findProducts(sql, tenant, [planId])).get(planId)
  const billingInterval = plan?.terms.billingInterval
  if (!plan || !billingInterval)
    return 'The selected plan does not exist. Check that it belongs to the mode of your API key.'
  if (plan.archivedAt) return 'The selected plan is archived.'
  if (!isOnSale(plan)) return `The selected plan is not active: it is ${plan.status}.`
  if (plan.taxBehavior !== taxBehavior)
    return `The selected plan must have the same taxBehavior as the subscription, ${taxBehavior}.`
  const { name, description, price } = plan.terms
  const rates = await newestRates(sql, tenant, ratesKnown.knownAt ?? realNow(), ratesKnown)
  const converted = { minor: fromEuros(price.minor, rates[currency].rate), currency }
  return { planId, name, description, price: converted, billingInterval }
}
