import type { Transaction } from '../../modules/events/transact.ts'
import { nothingOwed, owedAfter, owedBy } from '../../modules/subscriptions/owed.ts'
import { writePeriods } from '../../modules/subscriptions/periods.ts'
import { subscriptionResource } from '../../modules/subscriptions/resource.ts'
import { renew, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { saveSubscriptions } from '../../modules/subscriptions/store.ts'
import { setTimers } from '../../modules/subscriptions/timer.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { failWithoutMandate } from '../collection/apply-charge-updates.ts'
import { type Bill, type Billed, billAll } from '../invoicing/bill.ts'
import { cancelRemoved, keepRemaining } from '../recovery/taken-back.ts'

export interface Renewal {
  readonly subscription: Subscription
  readonly due: Date
  /** Whether a suspension delayed the renewal, so that its period begins now. */
  readonly waited?: boolean
  readonly simulated?: boolean
  readonly own?: Transaction
}

/**
 * Bills the renewals, and returns them in the order of `renewals`. The task `subscription.charge`
 * (`workflows/collection`) later requests each charge from the provider.
 */
export async function renewAll(tx: Transaction, renewals: readonly Renewal[]): Promise<(Bill & Billed)[]> {
  failpoint('renewal.locked')
  const renewed = renewals.map(({ subscription, due, waited = false, simulated = false, own = tx }) => {
    const { next, lines, reason } = renew(subscription, { due, now: own.now, waited })
    return { subscription: next, lines, reason, simulated, own }
  })
  const owed = await owedBy(
    tx.sql,
    renewed.map(({ subscription }) => subscription.id),
  )
  const saved = saveSubscriptions(
    tx.sql,
    renewed.map(({ subscription }) => subscription),
  )
  const notified = tx.emitAll(
    renewed.map(({ subscription, lines, reason, own }) => ({
      name: 'subscription.updated',
      reason,
      object: subscriptionResource(
        subscription,
        owedAfter(owed.get(subscription.id) ?? nothingOwed, subscription, lines),
      ),
      ...(own !== tx && { at: own.now }),
    })),
  )
  await Promise.all([saved, notified])
  failpoint('renewal.notified')
  const billed = await billPeriods(tx, renewed)
  // Cancels the unpaid changes that the scheduled update reverses.
  for (const { subscription, reason, own = tx } of billed)
    if (reason === 'updated_on_renewal') {
      await cancelRemoved(own, subscription)
      await keepRemaining(own, subscription)
    }
  return billed
}

export async function billPeriods<One extends Bill>(tx: Transaction, bills: readonly One[]): Promise<(One & Billed)[]> {
  const billed = await billAll(tx, bills)
  const periods = writePeriods(
    tx,
    billed.map(({ subscription, order, own = tx }) => ({ subscription, orderId: order.id, own })),
  )
  const timers = setTimers(
    tx,
    billed.map(({ subscription }) => subscription),
  )
  await Promise.all([periods, timers])
  failpoint('renewal.timer_set')
  for (const { subscription, order, simulated, own = tx } of billed)
    if (!simulated) await failWithoutMandate(own, subscription, order)
  return billed
}
