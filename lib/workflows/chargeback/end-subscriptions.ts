import { disputesEndSubscriptions } from '../../modules/accounts/store.ts'
import { type Chargeback, cancellationReasonOf } from '../../modules/chargebacks/rules/index.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { areUndisputed, markDisputed } from '../../modules/payments/disputed-mandates.ts'
import type { ProviderChargeback } from '../../modules/payments/provider-data.ts'
import { chargedMandate, type Payment } from '../../modules/payments/store.ts'
import { revokeMandate } from '../../modules/payments/tasks.ts'
import { unpaidFrom } from '../../modules/subscriptions/periods.ts'
import { currentSubscription } from '../../modules/subscriptions/resource.ts'
import { isOngoing, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { disputedSubscriptions, lockSubscriptions, saveSubscription } from '../../modules/subscriptions/store.ts'
import { setTimer } from '../../modules/subscriptions/timer.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { askForMethod } from '../customer-emails/payment-method-missing.ts'
import { ordersThatStand } from '../recovery/attempts.ts'
import { endWithPaidTime, giveUpUnpaidPeriod } from '../recovery/paid-time.ts'
import { writeOffOutstanding } from '../recovery/write-off.ts'
import { cancelSubscription } from '../subscription-change/steps.ts'

/** The subscriptions and mandates that a dispute affects. All subscriptions are locked. */
export interface Concerned {
  readonly own: readonly Subscription[]
  readonly sharing: readonly Subscription[]
  readonly mandateIds: readonly string[]
}

/** Lock the order after this call, because all transactions lock the subscriptions before the order. */
export async function lockConcerned(
  { sql, ...tenant }: Transaction,
  order: Pick<Order, 'subscriptionId' | 'checkoutId'>,
  payment: Payment | null,
): Promise<Concerned> {
  const charged = payment && chargedMandate(payment)
  const found = await disputedSubscriptions(sql, tenant, order, charged)
  const ids = found.map(({ id }) => id)
  const subscriptions = ids.length > 0 ? await lockSubscriptions(sql, tenant, ids) : []
  const ownIds = new Set(found.flatMap(({ id, isOwn }) => (isOwn ? [id] : [])))
  const own = subscriptions.filter(({ id }) => ownIds.has(id))
  const mandateIds = new Set([...own.flatMap(({ mandate }) => mandate?.id ?? []), ...(charged ? [charged] : [])])
  const sharing = subscriptions.filter(({ id, mandate }) => !ownIds.has(id) && mandateIds.has(mandate?.id ?? ''))
  return { own, sharing, mandateIds: [...mandateIds] }
}

/**
 * Ends the subscriptions of the disputed payment (`own`) at the end of their paid period. Ends them immediately if the
 * dispute is lost or accepted, or if no paid time is left. If the dispute was just received (`isReceived`), also
 * removes the disputed payment methods from these subscriptions and from all other subscriptions that use the methods.
 * Does nothing if the dispute is won or rejected, if its reason ends no subscription (`cancellationReasonOf`), or if
 * the storefront keeps subscriptions despite disputes.
 */
export async function endDisputed(
  tx: Transaction,
  { own, sharing, mandateIds }: Concerned,
  chargeback: Pick<Chargeback, 'reason' | 'status' | 'createdAt'>,
  { isReceived }: { isReceived: boolean },
): Promise<void> {
  const reason = cancellationReasonOf(chargeback.reason)
  const isLost = chargeback.status === 'lost' || chargeback.status === 'accepted'
  const isOver = chargeback.status === 'won' || chargeback.status === 'rejected'
  if (!reason || isOver || (!isReceived && !isLost)) return
  if (!(await disputesEndSubscriptions(tx.sql, tx.storefrontId))) return
  if (isReceived) await endMandates(tx, mandateIds)
  const ending = own.filter((each) => isOngoing(each) && (isReceived || isEndingSince(each, chargeback)))
  if (isReceived) for (const each of [...own, ...sharing]) await takeMandate(tx, each, ending.includes(each))
  for (const { id } of ending) await end(tx, id, { reason, isLost })
  failpoint('chargeback.subscriptions_ended')
}

/**
 * Applies a dispute of a debit that the bank has already returned. This dispute takes no money, but it ends the
 * subscriptions and removes the payment methods. Does nothing if an earlier dispute affected one of these payment
 * methods.
 */
export async function disputeReturned(
  tx: Transaction,
  concerned: Concerned,
  { reason, status }: Pick<ProviderChargeback, 'reason' | 'status'>,
): Promise<void> {
  if (await areUndisputed(tx.sql, concerned.mandateIds))
    await endDisputed(tx, concerned, { reason, status, createdAt: tx.now }, { isReceived: true })
}

/**
 * Whether the subscription was canceled when the dispute arrived, or earlier. False if the merchant resumed the
 * subscription after this cancellation.
 */
const isEndingSince = ({ canceledAt }: Subscription, { createdAt }: Pick<Chargeback, 'createdAt'>): boolean =>
  canceledAt !== null && canceledAt <= createdAt

async function endMandates({ sql, now, enqueueAll }: Transaction, mandateIds: readonly string[]): Promise<void> {
  await markDisputed(sql, mandateIds, now)
  await enqueueAll(
    revokeMandate,
    mandateIds.map((mandateId) => ({ key: mandateId, data: { mandateId }, dueAt: now })),
  )
}

async function takeMandate(tx: Transaction, before: Subscription, isEnding: boolean): Promise<void> {
  if (before.mandate === null || !isOngoing(before)) return
  const next = { ...before, mandate: null }
  await saveSubscription(tx.sql, next)
  // If the dispute also ends the subscription, the event of the cancellation shows that the mandate was removed. A
  // subscription in its grace period gets no such event, so this function emits an event.
  if (isEnding && before.status !== 'on_grace_period') return
  await tx.emit({ name: 'subscription.billing_updated', object: await currentSubscription(tx.sql, next) })
  await setTimer(tx, next)
  await askForMethod(tx, next, 'disputed')
}

/**
 * Ends a subscription at the end of its paid period. Ends it immediately if the dispute is lost or no paid time is
 * left.
 */
async function end(
  tx: Transaction,
  id: string,
  { reason, isLost }: { reason: 'payment_failure' | 'customer_request'; isLost: boolean },
): Promise<void> {
  const [subscription] = await lockSubscriptions(tx.sql, tx, [id])
  if (!subscription) throw new Error(`the locked subscription ${id} is gone`)
  await writeOffOutstanding(tx, subscription)
  const unpaid = await unpaidFrom(tx.sql, id)
  const isWrittenOff = unpaid !== null && (await ordersThatStand(tx, id)).length === 0
  const isUnpaid = isWrittenOff && unpaid <= tx.now
  // Handles an unpaid period that starts in the future: the period was billed early, and its order is written off.
  if (isWrittenOff && !isUnpaid && !isLost && !(await endWithPaidTime(tx, subscription)))
    await giveUpUnpaidPeriod(tx, subscription)
  await cancelSubscription(tx, id, { immediately: isLost || isUnpaid, reason, isDisputed: true })
}
