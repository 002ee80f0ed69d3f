import { toWire } from '../../kernel/moment.ts'
import { config } from '../../platform/config.ts'
import type { Transaction } from '../events/transact.ts'
import { canonicalTaxId, registryFor } from '../tax/rules/index.ts'
import { renewalAnswerKeptMs } from '../tax/rules/tax-id-checks.ts'
import { checkTaxIdLater } from '../tax/tasks.ts'
import { nextRenewalAt, noticesBefore, type Subscription } from './rules/index.ts'
import { chargeNotice, checkLimits, periodEnd } from './tasks.ts'

/**
 * Schedules the end of the current period, and the notices and checks before it. Renewals, notices, and limit checks
 * that an earlier call scheduled for another time do nothing when they run.
 */
export const setTimer = (tx: Transaction, subscription: Subscription): Promise<void> => setTimers(tx, [subscription])

export async function setTimers(tx: Transaction, subscriptions: readonly Subscription[]): Promise<void> {
  await Promise.all([
    setPeriodEnds(tx, subscriptions),
    setNotices(tx, subscriptions),
    setTaxIdChecks(tx, subscriptions),
    setLimitChecks(tx, subscriptions),
  ])
}

/**
 * The number of days before a renewal at which the provider's charge limits are checked, so that a merchant has time to
 * act.
 */
const limitCheckDays = 7

async function setLimitChecks({ enqueueAll, now }: Transaction, subscriptions: readonly Subscription[]): Promise<void> {
  const checks = subscriptions.flatMap((subscription) => {
    const { id, testmode, mandate } = subscription
    const renewsAt = nextRenewalAt(subscription)
    if (testmode || !renewsAt || !mandate) return []
    const endsAt = toWire(renewsAt)
    const dueAt = new Date(Math.max(renewsAt.getTime() - limitCheckDays * 86_400_000, now.getTime()))
    return [{ key: `${id} ${endsAt}`, data: { subscriptionId: id, endsAt }, dueAt }]
  })
  await enqueueAll(checkLimits, checks)
}

/**
 * Schedules a check of the tax ID a day before the next renewal of each subscription in live mode. The check asks the
 * registry only if the registry's last response is then older than 30 days. After a change of the billing details, call
 * this function instead of `setTimer`, because the time of the charge does not change.
 */
export async function setTaxIdChecks(
  { enqueueAll }: Transaction,
  subscriptions: readonly Subscription[],
): Promise<void> {
  const sellerCountry = config().seller.country
  const checks = subscriptions.flatMap((subscription) => {
    const { id, testmode, billingAddress } = subscription
    const { taxId, country, postalCode } = billingAddress
    const renewsAt = nextRenewalAt(subscription)
    if (testmode || !renewsAt || !taxId || !country) return []
    if (!registryFor({ taxId, buyerCountry: country, postalCode, sellerCountry })) return []
    const dueAt = new Date(renewsAt.getTime() - 86_400_000)
    const freshSince = new Date(dueAt.getTime() - renewalAnswerKeptMs).toISOString()
    const renewal = { subscriptionId: id, at: toWire(renewsAt) }
    const data = { taxId: canonicalTaxId(taxId), country, freshSince, begunAt: dueAt.toISOString(), renewal }
    return [{ key: `${id} ${renewal.at}`, data, dueAt }]
  })
  await enqueueAll(checkTaxIdLater, checks)
}

async function setPeriodEnds({ enqueueAll }: Transaction, subscriptions: readonly Subscription[]): Promise<void> {
  const timers = subscriptions.flatMap(({ id, status, renewedUntil }) => {
    const runs = status === 'active' || status === 'trial' || status === 'on_grace_period'
    if (!runs || !renewedUntil) return []
    const endsAt = toWire(renewedUntil)
    // The key contains the time. Otherwise, the task for the next period would replace the running task that enqueues
    // it, and the running task could not commit.
    return [{ key: `${id} ${endsAt}`, data: { subscriptionId: id, endsAt }, dueAt: renewedUntil }]
  })
  await enqueueAll(periodEnd, timers)
}

/**
 * Schedules the notices before the next charge of each subscription. After a change of the payment method, call this
 * function instead of `setTimer`, because the time of the charge does not change.
 */
export async function setNotices(
  { enqueueAll, now }: Transaction,
  subscriptions: readonly Subscription[],
): Promise<void> {
  const notices = subscriptions.flatMap((subscription) => {
    const { id, renewedUntil } = subscription
    const endsAt = renewedUntil ? toWire(renewedUntil) : ''
    return noticesBefore(subscription, now).map(({ kind, days, at }) => ({
      key: `${id} ${endsAt} ${days}`,
      data: { subscriptionId: id, endsAt, kind },
      dueAt: at,
    }))
  })
  await enqueueAll(chargeNotice, notices)
}
