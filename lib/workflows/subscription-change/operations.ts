import type { z } from 'zod'
import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
import { audited } from '../../modules/audit/audited.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import { sharePlans } from '../../modules/catalog/store.ts'
import { findCustomer } from '../../modules/customers/store.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { heldByRecovery } from '../../modules/recovery/store.ts'
import {
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
import { db } from '../../platform/db/db.ts'
import { listEnvelope } from '../../platform/http/paging.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { failWithoutMandate } from '../collection/apply-charge-updates.ts'
import { announceChangedCharge, announceResumedCharge } from '../customer-emails/changed-charge.ts'
import { bill } from '../invoicing/bill.ts'
import { cancelTakenBack, keepRemaining } from '../recovery/taken-back.ts'
import { billPeriods } from '../renewal/renew.ts'
import { learnLimits } from './charge-limits.ts'
import { recordCharged, requireChargeable } from './charged-at-once.ts'
import { decide } from './decide.ts'
import { type Previewed, previewOf } from './preview.ts'
import { type Agreed, type AgreedChange, type ChangeBody, resolveChange, resolveOrRefuse } from './resolve.ts'
import { requireAsReturned, returnedPreview } from './returned-preview.ts'
import { cancelSubscription, resumeSubscription } from './steps.ts'

/** If `customerId` is set, the subscription must belong to this customer. Refuses with `not_found`. */
export async function get(tenant: Tenant, id: string, customerId?: string) {
  const subscription = await store.findShownSubscription(db(), tenant, id, customerId)
  if (!subscription) throw new Refusal('not_found')
  return shownSubscription(subscription)
}

export async function list(tenant: Tenant, query: z.infer<typeof listSubscriptions.query & object>, url: URL) {
  const page = await store.pageOfSubscriptions(db(), tenant, query, query)
  return listEnvelope(page, query, url, shownSubscription)
}

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
 * Refuses with `not_found`, `subscription_not_changeable`, or `too_many_charges`. Refuses with `validation_failed` on the field that violates a rule. If the
 * change would charge immediately, refuses with `storefront_suspended`.
 */
export async function change(context: RequestContext, id: string, body: ChangeBody, agreed?: AgreedChange) {
  return transact(context, async (tx) => {
    const { sql, emit } = tx
    const locked = await lockOrRefuse(tx, id)
    if (!namesTerms(body)) return currentSubscription(sql, await withMetadata(tx, locked, body.metadata))
    if (body.subscriptionPlanId) await sharePlans(sql, [body.subscriptionPlanId])
    const resolved = await resolveOrRefuse(tx, locked, body, tx.now)
    const shown = await agreed?.(tx, locked, resolved.asked)
    const at = shown?.at ?? resolved.at
    // The metadata is saved after the check of `asOf`. The check refuses an `asOf` before the last event of the
    // subscription, and saving the metadata emits an event.
    const before = await withMetadata(tx, locked, body.metadata)
    const decided = shown?.decided ?? (await decide(tx, before, resolved.asked, at))
    const { taken, events, lines, period } = decided
    // `shown.decided` was computed before the metadata was saved, so the saved metadata is added here.
    const next = { ...decided.next, metadata: before.metadata }
    if (lines.length > 0) await requireChargeable(tx, id)
    await requireAsReturned(tx, decided, resolved)
    if (events.length === 0) return currentSubscription(sql, before)
    if (taken) await cancelTakenBack(tx, taken)
    await store.saveSubscription(sql, next)
    const owed = await owedByOne(sql, id)
    const object = subscriptionResource(next, period === 'new' ? owedAfter(owed, next, lines) : owed)
    for (const name of events)
      await emit(name === 'subscription.updated' ? { name, reason: 'updated_immediately', object } : { name, object })
    const charged = { subscription: next, lines, taxedAt: at }
    const order = lines.length > 0 ? (await bill(tx, charged, realNow())).order : null
    await keepRemaining(tx, next)
    if (order) await recordCharged(tx, taken?.without.next ?? before, next, order.id)
    if (period === 'new') {
      await store.endPeriods(sql, id, at)
      await writePeriods(tx, [{ subscription: next, orderId: order?.id ?? null }])
    }
    if (period === 'moved' && next.period) await store.moveEnd(sql, id, next.period)
    await setTimer(tx, next)
    if (order) await failWithoutMandate(tx, next, order)
    // The receipt of an immediate charge states the next charge. In the last two days before a direct debit, the debit is announced again only if its day
    // changes.
    else if (
      !rules.isPastDebitNotice(next, tx.now) ||
      rules.nextRenewalAt(before)?.getTime() !== rules.nextRenewalAt(next)?.getTime()
    )
      await announceChangedCharge(tx, before, next)
    return currentSubscription(sql, next)
  })
}

/**
 * Refuses with `subscription_not_changeable` if the subscription has not started. Also refuses after the end, because
 * no event may follow the event that reports the end.
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

/** Refuses like `change`, but never with `too_many_charges` or `storefront_suspended`. */
export async function previewChange(tenant: Tenant, id: string, body: ChangeBody): Promise<Previewed & { now: Date }> {
  const { where, before, now } = await findToPreview(tenant, id)
  const { asked } = await resolveOrRefuse(where, before, body, now)
  return { ...(await previewOf(where, before, asked, now)), now }
}

/** Refuses with `not_found`, or with `validation_failed` if `asOf` violates a rule. */
export async function preview(tenant: Tenant, id: string, body: ChangeBody) {
  const { where, before, now } = await findToPreview(tenant, id)
  return returnedPreview(where, before, body, now)
}

async function findToPreview(tenant: Tenant, id: string) {
  const before = await store.findSubscription(db(), tenant, id)
  if (!before) throw new Refusal('not_found')
  await learnLimits(before)
  return { where: { ...tenant, sql: db() }, before, now: await clockNow(db(), tenant) }
}

/** The call is safe to repeat. Refuses with `not_found` or `subscription_not_cancelable`. */
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

/** Refuses with `not_found` or `subscription_not_resumable`. */
export async function resume(context: RequestContext, id: string, agreed?: Agreed) {
  return transact(context, async (tx) => {
    await agreed?.(tx, await lockOrRefuse(tx, id))
    return currentSubscription(tx.sql, await resumeSubscription(tx, id))
  })
}

/** Refuses with `not_found` or `subscription_not_pausable`. */
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
 * Refuses with `not_found` or `subscription_not_paused`. If a new period would start, refuses with `already_in_flight`
 * during a recovery, or with `storefront_suspended`.
 */
export async function unpause(context: RequestContext, id: string, agreed?: Agreed) {
  return transact(context, async (tx) => {
    const before = await lockOrRefuse(tx, id)
    await agreed?.(tx, before)
    const { next, lines } = rules.unpause(before, tx.now)
    // A new period is a renewal, and a recovery prevents renewals.
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

/** Refuses with `validation_failed` if the subscription is unknown. */
export const pauseTyped = async (id: string) => pause(await byCommandLine('subscription.pause', id), id)

/** Refuses with `validation_failed` if the subscription is unknown. */
export const unpauseTyped = async (id: string) => unpause(await byCommandLine('subscription.unpause', id), id)

const byCommandLine = async (action: string, subject: string): Promise<RequestContext> =>
  audited(await tenantOf(subject), commandLine(), { action, subject })

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
