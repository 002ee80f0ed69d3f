import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { transact } from '../../modules/events/transact.ts'
import { notifyMembers } from '../../modules/operators/notify-members.ts'
import { brokenLimit } from '../../modules/payments/rules/charge-limits.ts'
import { nextCharge } from '../../modules/subscriptions/next-charge.ts'
import { methodOf, nextRenewalAt } from '../../modules/subscriptions/rules/index.ts'
import { findSubscription, lockSubscription } from '../../modules/subscriptions/store.ts'
import type { checkLimits } from '../../modules/subscriptions/tasks.ts'
import { db } from '../../platform/db/db.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { log } from '../../platform/log.ts'
import { chargeLimitsOn, learnChargeLimits } from '../../providers/index.ts'

/**
 * Warns the members by email if the provider would refuse the next renewal with its current amount, for example after a
 * change of limits, taxes, or deferred amounts. Does nothing if the next renewal is no longer due at `endsAt`.
 */
export async function checkRenewalLimits(
  tenant: TaskContext,
  { subscriptionId, endsAt }: z.infer<typeof checkLimits.data>,
): Promise<void> {
  const known = await findSubscription(db(), tenant, subscriptionId)
  if (known?.mandate) await learnChargeLimits(known.mandate, known.price.currency)
  await transact(tenant, async (tx) => {
    const subscription = await lockSubscription(tx.sql, tenant, subscriptionId)
    const due = subscription && nextRenewalAt(subscription)
    if (!due || toWire(due) !== endsAt || !subscription.mandate) return
    const next = nextCharge(subscription, tx.now)
    if (!next || next.total <= 0n) return
    const { mandate, name } = subscription
    const limits = chargeLimitsOn(mandate, next.currency)
    const broken = limits ? brokenLimit(next.total, limits) : 'all'
    if (broken === null) return
    const limit = broken === 'all' ? null : (limits?.[broken] ?? null)
    log.warn({ subscriptionId, broken }, 'the provider would refuse the charge of a renewal')
    const notice = {
      kind: 'renewal_uncollectable',
      subscriptionName: name,
      amount: amount(next.total, next.currency),
      dueAt: toWire(next.at),
      method: methodOf[mandate.method],
      broken,
      limit: limit === null ? null : amount(limit, next.currency),
    } as const
    await notifyMembers(tx, notice, `/subscriptions/${subscriptionId}`)
  })
}
