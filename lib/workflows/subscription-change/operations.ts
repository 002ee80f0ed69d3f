import type { z } from 'zod'
import { fromEuros } from '../../kernel/money.ts'
import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
import { audited } from '../../modules/audit/audited.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import { isOnSale } from '../../modules/catalog/rules/index.ts'
import { findProducts, sharePlans } from '../../modules/catalog/store.ts'
import { findCustomer } from '../../modules/customers/store.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { newestRates } from '../../modules/exchange/rates.ts'
import { heldByRecovery } from '../../modules/recovery/store.ts'
import {
  type changeSubscription,
  type listCustomerSubscriptions,
  type listSubscriptions,
  namesTerms,
} from '../../modules/subscriptions/contract.ts'
import { lockOrRefuse, tenantOf } from '../../modules/subscriptions/lock.ts'
import { owedAfter, owedByOne } from '../../modules/subscriptions/owed.ts'
import { writePeriods } from '../../modules/subscriptions/periods.ts'
import { currentSubscription, shownSubscription, subscriptionResource } from '../../modules/subscriptions/resource.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import * as store from '../../modules/subscriptions/store.ts'
import { setTimer } from '../../modules/subscriptions/timer.ts'
import { now as clockNow, realNow, type Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { listEnvelope } from '../../platform/http/paging.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { failWithoutMandate } from '../collection/apply-charge-updates.ts'
import { announceChangedCharge, announceResumedCharge } from '../customer-emails/changed-charge.ts'
import { bill } from '../invoicing/bill.ts'
import { cancelTakenBack, keepRemaining } from '../recovery/taken-back.ts'
import { billPeriods } from '../renewal/renew.ts'
import { learnLimits, limitProblems } from './charge-limits.ts'
import { recordCharged, requireWithinRateLimit } from './charged-at-once.ts'
import { decide } from './decide.ts'
import { type Previewed, previewOf } from './preview.ts'
import { cancelSubscription, resumeSubscription } from './steps.ts'

/** A subscription, limited to a customer if `customerId` is given. Refuses `not_found`. */
export async function get(tenant: Tenant, id: string, customerId?: string) {
  const subscription = await store.findShownSubscription(db(), tenant, id, customerId)
  if (!subscription) throw new Refusal('not_found')
  return shownSubscription(subscription)
}

export async function list(tenant: Tenant, query: z.infer<typeof listSubscriptions.query & object>, url: URL) {
  const page = await store.pageOfSubscriptions(db(), tenant, query, query)
  return listEnvelope(page, query, url, shownSubscription)
}

/** A customer's subscriptions. Refuses `not_found` if the customer does not exist. */
export async function listOfCustomer(
  tenant: Tenant,
  customerId: string,
  query: z.infer<typeof listCustomerSubscriptions.query & object>,
  url: URL,
) {
  if (!(await findCustomer(db(), tenant, customerId))) throw new Refusal('not_found')
  return list(tenant, { ...query, customerId }, url)
}

/**
 * Checks, with the subscription locked, what a person agreed to on a page. Refuses if the effect has changed since.
 * Returns the time of the page's calculation.
 */
export type Agreed<Asked = void> = (tx: Transaction, subscription: rules.Subscription, asked: Asked) => Promise<Date>

/**
 * Changes plan, quantity, or price, now or at the next renewal. Returns the changed subscription. Refuses
 * `storefront_suspended` if it would charge at once, `not_found`, `subscription_not_changeable`, `too_many_charges`,
 * and `validation_failed` on the field that breaks a rule.
 */
export async function change(context: RequestContext, id: string, body: ChangeBody, agreed?: Agreed<rules.Change>) {
  return transact(context, async (tx) => {
    const { sql, emit } = tx
    const before = await withMetadata(tx, await lockOrRefuse(tx, id), body.metadata)
    if (!namesTerms(body)) return currentSubscription(sql, before)
    if (body.subscriptionPlanId) await sharePlans(sql, [body.subscriptionPlanId])
    const { asked: request, problems } = await resolveChange(tx, before, body, tx.now)
    if (Object.keys(problems).length > 0) throw new Refusal('validation_failed', problems)

    const at = (await agreed?.(tx, before, request)) ?? tx.now
    const { taken, next, events, lines, period } = await decide(tx, before, request, at)
    if (events.length === 0) return currentSubscription(sql, before)
    if (taken) await cancelTakenBack(tx, taken)
    await store.saveSubscription(sql, next)
    const owed = await owedByOne(sql, id)
    const object = subscriptionResource(next, period === 'new' ? owedAfter(owed, next, lines) : owed)
    for (const name of events)
      await emit(name === 'subscription.updated' ? { name, reason: 'updated_immediately', object } : { name, object })
    if (lines.length > 0) await requireWithinRateLimit(tx, id)
    const order = lines.length > 0 ? (await bill(tx, { subscription: next, lines }, realNow())).order : null
    await keepRemaining(tx, next)
    if (order) await recordCharged(tx, taken?.without.next ?? before, next, order.id)
    if (period === 'new') {
      await store.endPeriods(sql, id, at)
      await writePeriods(tx, [{ subscription: next, orderId: order?.id ?? null }])
    }
    if (period === 'moved' && next.period) await store.moveEnd(sql, id, next.period)
    await setTimer(tx, next)
    if (order) await failWithoutMandate(tx, next, order)
    // An immediate charge has a receipt, which states the next charge. Within its last two days a debit is announced
    // again only if its day changes.
    else if (
      !rules.isPastDebitNotice(next, tx.now) ||
      rules.nextRenewalAt(before)?.getTime() !== rules.nextRenewalAt(next)?.getTime()
    )
      await announceChangedCharge(tx, before, next)
    return currentSubscription(sql, next)
  })
}

/**
 * Replaces the metadata of a locked subscription at once, with an event. Without a difference nothing happens. Refuses
 * `subscription_not_changeable` before the start and after the end, because no event follows the last one.
 */
async function withMetadata(
  tx: Transaction,
  before: rules.Subscription,
  metadata: string | null = before.metadata,
): Promise<rules.Subscription> {
  if (metadata === before.metadata) return before
  if (before.status === 'created' || before.status === 'canceled') throw new Refusal('subscription_not_changeable')
  const next = { ...before, metadata }
  await store.saveSubscription(tx.sql, next)
  const object = await currentSubscription(tx.sql, next)
  await tx.emit({ name: 'subscription.updated', reason: 'metadata_changed', object })
  return next
}

/** Previews a change by the rules that make it. Refuses like `change`, except for the limit of immediate charges. */
export async function previewChange(tenant: Tenant, id: string, body: ChangeBody): Promise<Previewed & { now: Date }> {
  const before = await store.findSubscription(db(), tenant, id)
  if (!before) throw new Refusal('not_found')
  await learnLimits(before)
  const now = await clockNow(db(), tenant)
  const { asked: request, problems } = await resolveChange({ ...tenant, sql: db() }, before, body, now)
  if (Object.keys(problems).length > 0) throw new Refusal('validation_failed', problems)
  return { ...(await previewOf({ ...tenant, sql: db() }, before, request, now)), now }
}

/**
 * Cancels at the end of the paid period, or at once. Drops scheduled updates and parked changes. Safe to repeat.
 * Refuses `not_found` and `subscription_not_cancelable`.
 */
export async function cancel(
  context: RequestContext,
  id: string,
  { immediately }: { immediately: boolean },
  agreed?: Agreed,
): Promise<void> {
  await transact(context, async (tx) => {
    await agreed?.(tx, await lockOrRefuse(tx, id))
    await cancelSubscription(tx, id, { immediately, reason: 'merchant_request' })
  })
}

/** Withdraws a cancellation during its grace period. Refuses `not_found` and `subscription_not_resumable`. */
export async function resume(context: RequestContext, id: string, agreed?: Agreed) {
  return transact(context, async (tx) => {
    await agreed?.(tx, await lockOrRefuse(tx, id))
    return currentSubscription(tx.sql, await resumeSubscription(tx, id))
  })
}

/** For operators: stops all renewals from now on. Refuses `not_found` and `subscription_not_pausable`. */
export async function pause(context: RequestContext, id: string, agreed?: Agreed) {
  return transact(context, async (tx) => {
    const before = await lockOrRefuse(tx, id)
    await agreed?.(tx, before)
    const next = rules.pause(before)
    await store.saveSubscription(tx.sql, next)
    const object = await currentSubscription(tx.sql, next)
    await tx.emit({ name: 'subscription.updated', reason: 'updated_immediately', object })
    return { subscriptionId: id, status: next.status }
  })
}

/**
 * For operators: ends a pause. In the paid period, continues the billing cycle and emails the next charge. After the
 * paid period, begins and charges a new period now. Refuses `not_found`, `subscription_not_paused`, and
 * `already_in_flight` if a period would begin during a recovery.
 */
export async function unpause(context: RequestContext, id: string, agreed?: Agreed) {
  return transact(context, async (tx) => {
    const before = await lockOrRefuse(tx, id)
    await agreed?.(tx, before)
    const { next, lines } = rules.unpause(before, tx.now)
    // A new period is a renewal, and a recovery allows no renewal.
    if (lines.length > 0 && (await heldByRecovery(tx.sql, [id])).size > 0) throw new Refusal('already_in_flight')
    await store.saveSubscription(tx.sql, next)
    const renewed = before.scheduledUpdate ? 'updated_on_renewal' : 'renewed'
    const reason = lines.length > 0 ? renewed : 'updated_immediately'
    const object = subscriptionResource(next, owedAfter(await owedByOne(tx.sql, id), next, lines))
    await tx.emit({ name: 'subscription.updated', reason, object })
    if (lines.length > 0) await billPeriods(tx, [{ subscription: next, lines }])
    else {
      await setTimer(tx, next)
      await announceResumedCharge(tx, next)
    }
    return { subscriptionId: id, status: next.status }
  })
}

/** `pause` on the command line. Refuses `validation_failed` on an unknown subscription. */
export const pauseTyped = async (id: string) => pause(await byCommandLine('subscription.pause', id), id)

/** `unpause` on the command line. Refuses `validation_failed` on an unknown subscription. */
export const unpauseTyped = async (id: string) => unpause(await byCommandLine('subscription.unpause', id), id)

const byCommandLine = async (action: string, subject: string): Promise<RequestContext> =>
  audited(await tenantOf(subject), commandLine(), { action, subject })

type ChangeBody = z.infer<typeof changeSubscription.body & object>

/** Further problems of a change that the schema refuses, for every well-formed field. */
export async function validateReferences(
  tenant: Tenant,
  id: string,
  body: WellFormed<ChangeBody>,
): Promise<FieldErrors> {
  const subscription = await store.findSubscription(db(), tenant, id)
  if (!subscription || !namesTerms(body)) return {}
  await learnLimits(subscription)
  const now = await clockNow(db(), tenant)
  return (await resolveChange({ ...tenant, sql: db() }, subscription, body, now)).problems
}

/** Resolves a request, and collects every problem by field. */
async function resolveChange(
  where: Tenant & { sql: Sql },
  subscription: rules.Subscription,
  body: WellFormed<ChangeBody>,
  now: Date,
): Promise<{ asked: rules.Change; problems: FieldErrors }> {
  const target = body.subscriptionPlanId ? await targetPlan(where, subscription, body.subscriptionPlanId) : null
  const { currency } = subscription.price
  const request: rules.Change = {
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
  const isForeign = request.price !== null && request.price.currency !== currency
  const problems = {
    ...(!isForeign && limitProblems(subscription, request, now)),
    ...rules.changeProblems(subscription, request, now),
    ...(typeof target === 'string' && { subscriptionPlanId: [target] }),
    ...(isForeign && { 'price.currency': [`Must be the subscription's own currency, ${currency}.`] }),
  }
  return { asked: request, problems }
}

/**
 * The plan to switch to in the subscription's currency, or a sentence that says why a switch is impossible. The current
 * plan is no switch: it keeps its purchased terms.
 */
async function targetPlan(
  { sql, ...tenant }: Tenant & { sql: Sql },
  subscription: rules.Subscription,
  planId: string,
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
  const rates = await newestRates(sql, tenant, realNow())
  const converted = { minor: fromEuros(price.minor, rates[currency].rate), currency }
  return { planId, name, description, price: converted, billingInterval }
}
