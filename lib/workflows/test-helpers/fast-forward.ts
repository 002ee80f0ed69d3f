import type { z } from 'zod'
import { only } from '../../kernel/only.ts'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import { requireSelling } from '../../modules/accounts/require-selling.ts'
import { sellingOf } from '../../modules/accounts/store.ts'
import { transact } from '../../modules/events/transact.ts'
import { heldByRecovery } from '../../modules/recovery/store.ts'
import { currentSubscription } from '../../modules/subscriptions/resource.ts'
import { nextRenewalAt, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { findSubscription, isPeriodBilled, lockSubscription } from '../../modules/subscriptions/store.ts'
import type { fastForwardRenewal } from '../../modules/test-helpers/contract.ts'
import { notChargeable, outcomeOf } from '../../modules/test-helpers/rules/outcome.ts'
import * as store from '../../modules/test-helpers/store.ts'
import { runFastForward, soon } from '../../modules/test-helpers/tasks.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { applySimulatedOutcome, lockCharge } from '../collection/apply-charge-updates.ts'
import { chargeFailed } from '../recovery/charge-outcome.ts'
import { renewAll } from '../renewal/renew.ts'
import { hasWaited } from '../renewal/waited.ts'

/**
 * Requests an early renewal. Returns the subscription before the renewal. Refuses with `storefront_suspended`,
 * `not_found`, or `subscription_not_renewable`. Refuses with `already_in_flight` during a recovery or while an earlier
 * request is not resolved. Refuses with `validation_failed` if the outcome is `paid` and no method can be charged now.
 */
export async function fastForward(
  context: RequestContext,
  subscriptionId: string,
  body: z.infer<typeof fastForwardRenewal.body & object>,
) {
  return transact(context, async (tx) => {
    const { sql, now, newId } = tx
    await requireSelling(sql, context)
    const subscription = await lockSubscription(sql, context, subscriptionId)
    if (!subscription) throw new Refusal('not_found')
    const periodStart = nextRenewalAt(subscription)
    if (subscription.status !== 'active' || !periodStart) throw new Refusal('subscription_not_renewable')
    const isOpen = await store.hasOpenFastForward(sql, subscriptionId)
    if (isOpen || (await heldByRecovery(sql, [subscriptionId])).size > 0) throw new Refusal('already_in_flight')
    const outcome = outcomeOf(body)
    if (outcome?.paymentStatus === 'paid' && !isChargeable(subscription)) throw invalid('paymentStatus', notChargeable)
    const id = newId('fast_forward_')
    await store.insertFastForward(sql, context, { id, subscriptionId, periodStart, outcome, createdAt: now })
    await tx.enqueue(runFastForward, { key: id, data: { id }, dueAt: soon() })
    return currentSubscription(sql, subscription)
  })
}

export async function validateFastForward(
  tenant: Tenant,
  subscriptionId: string,
  { paymentStatus }: WellFormed<z.infer<typeof fastForwardRenewal.body & object>>,
): Promise<FieldErrors> {
  const subscription = await findSubscription(db(), tenant, subscriptionId)
  return subscription && paymentStatus === 'paid' && !isChargeable(subscription)
    ? { paymentStatus: [notChargeable] }
    : {}
}

const isChargeable = ({ mandate }: Pick<Subscription, 'mandate'>): boolean => mandate?.status === 'valid'

/**
 * Bills the next period early. Bills nothing if the subscription is not active, if the period was already billed, if a
 * recovery delays renewals, or if the storefront is suspended.
 */
export async function fastForwardNow(tenant: TaskContext, { id }: { id: string }): Promise<void> {
  await transact(tenant, async (tx) => {
    const { sql } = tx
    const asked = await store.waitingFastForward(sql, tenant, id)
    const subscription = asked && (await lockSubscription(sql, tenant, asked.subscriptionId))
    if (!asked || !subscription) return
    const due = nextRenewalAt(subscription)
    const isBilled = await isPeriodBilled(sql, subscription.id, asked.periodStart)
    const selling = await sellingOf(sql, tenant)
    const isFree = (await heldByRecovery(sql, [subscription.id])).size === 0 && !selling.isSuspended
    if (subscription.status !== 'active' || !due || isBilled || !isFree) return store.fastForwarded(sql, id, null)

    const waited = await hasWaited(sql, subscription, selling)
    // If the billing cycle has changed since the request, the new next period is billed.
    const renewed = await renewAll(tx, [{ subscription, due, simulated: true, waited }])
    const { subscription: next, order, payment } = only(renewed)
    await store.fastForwarded(sql, id, order.id)
    if (order.status === 'paid') return store.resolveFastForwards(sql, [order.id])
    const charge = payment && (await lockCharge(tx, payment.id))
    if (charge && asked.outcome) return applySimulatedOutcome(tx, charge, asked.outcome)
    if (asked.outcome?.failureReason)
      await chargeFailed(
        tx,
        { subscription: next, order },
        { reason: asked.outcome.failureReason, simulated: true, mandateId: null },
      )
  })
}
