import { addDuration } from '../../kernel/calendar.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { requireSelling } from '../../modules/accounts/require-selling.ts'
import { countEmailsTo } from '../../modules/emails/store.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { paymentsOfOrder } from '../../modules/payments/store.ts'
import * as rules from '../../modules/recovery/rules/index.ts'
import { recoveryOfOrder } from '../../modules/recovery/store.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscription } from '../../modules/subscriptions/store.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { sendPurchaseUnpaid } from '../customer-emails/purchase-unpaid.ts'
import { enqueueCharge } from '../invoicing/bill.ts'
import { openAttempt, withdraw } from './attempts.ts'
import { exhaust, runStep } from './charge-outcome.ts'
import { sendReminder } from './emails.ts'
import { exhaustPurchase, lockPurchase, type Purchase } from './purchase.ts'

type Locked = { readonly order: Order; readonly recovery: rules.Recovery } & (
  | { readonly subscription: Subscription; readonly purchase: null }
  | { readonly subscription: null; readonly purchase: Purchase }
)

/** The maximum number of attempts within an hour, including the scheduled attempts. */
const attemptsAnHour = 3

/**
 * Retries a charge without changing the schedule. If a scheduled retry is due, that retry runs instead. Refuses with `not_found`,
 * `order_not_in_recovery`, `storefront_suspended`, or `too_many_charges`. Refuses with `already_in_flight` while an attempt has no outcome. Refuses with
 * `illegal_move` if `rules.retryBlock` returns any reason except `attempt_open`.
 */
export async function retryNow(context: RequestContext, orderId: string): Promise<void> {
  await transact(context, async (tx) => {
    const { order, recovery, subscription } = await lockInRecovery(tx, orderId)
    const attempt = await openAttempt(tx, order)
    const block = rules.retryBlock(recovery, subscription?.mandate ?? null, attempt !== null)
    if (block === 'attempt_open') throw new Refusal('already_in_flight')
    if (block !== null || !subscription) throw new Refusal('illegal_move')
    await requireSelling(tx.sql, tx)
    await requireFewAttempts(tx, order)
    if (rules.isChargeDue(recovery, tx.now)) return runStep(tx, { subscription, order, recovery })
    await enqueueCharge(tx, subscription, order, { simulated: recovery.simulated })
  })
}

async function requireFewAttempts({ sql, now }: Transaction, order: Order): Promise<void> {
  const since = addDuration(now, { hours: -1 }) ?? now
  const recent = (await paymentsOfOrder(sql, order.id)).filter(({ createdAt }) => createdAt > since)
  const [first] = recent
  if (!first || recent.length < attemptsAnHour) return
  const retryAfterSeconds = Math.ceil((first.createdAt.getTime() - since.getTime()) / 1000)
  throw new Refusal('too_many_charges', {}, { retryAfterSeconds })
}

/** The maximum number of emails to a customer within a day, including the scheduled emails. */
const linksADay = 3
const linkKinds = ['payment_failed', 'payment_method_needed', 'purchase_unpaid'] as const

/** `switched_off`: the storefront disabled emails of this kind. `limit_reached`: the customer already got `linksADay` emails. */
export type LinkEmail = 'sent' | 'switched_off' | 'limit_reached'

/** Refuses with `not_found` or `order_not_in_recovery`. While an attempt has no outcome, refuses with `already_in_flight`. */
export async function sendLinkAgain(context: RequestContext, orderId: string): Promise<LinkEmail> {
  return transact(context, async (tx) => {
    const { order, recovery, subscription } = await lockInRecovery(tx, orderId)
    if (await openAttempt(tx, order)) throw new Refusal('already_in_flight')
    if (!(await mayEmail(tx, order))) return 'limit_reached'
    const sent = subscription
      ? await sendReminder(tx, { recovery, subscription, order })
      : await sendPurchaseUnpaid(tx, order, { endsAt: endOf(recovery), isReminder: true })
    return sent === null ? 'switched_off' : 'sent'
  })
}

async function mayEmail({ sql, now, ...tenant }: Transaction, { customerId }: Order): Promise<boolean> {
  if (!customerId) throw new Error('an order in recovery has a customer')
  const after = addDuration(now, { days: -1 }) ?? now
  return (await countEmailsTo(sql, tenant, { customerId, kinds: linkKinds, after })) < linksADay
}

function endOf(recovery: rules.Recovery): Date {
  const endsAt = rules.endsAt(recovery)
  if (!endsAt) throw new Error(`recovery ${recovery.id} has no end`)
  return endsAt
}

/**
 * Ends the recovery without a payment. Refuses with `not_found` or `order_not_in_recovery`. While a provider decides an attempt, refuses with
 * `already_in_flight`.
 */
export async function writeOff(context: RequestContext, orderId: string): Promise<void> {
  await transact(context, async (tx) => {
    const { order, recovery, subscription, purchase } = await lockInRecovery(tx, orderId)
    if (!(await withdraw(tx, await openAttempt(tx, order)))) throw new Refusal('already_in_flight')
    if (subscription) return exhaust(tx, { subscription, order, recovery })
    return exhaustPurchase(tx, purchase, recovery)
  })
}

/** Locks rows in the same sequence as a scheduled step. Refuses with `order_not_in_recovery` if another transaction has ended the recovery. */
async function lockInRecovery(tx: Transaction, orderId: string): Promise<Locked> {
  const { sql, ...tenant } = tx
  const found = await findOrder(sql, tenant, orderId)
  if (!found) throw new Refusal('not_found')
  const subscriptionId = (await recoveryOfOrder(sql, orderId))?.subscriptionId
  const subscription = subscriptionId ? await lockSubscription(sql, tenant, subscriptionId) : null
  const purchase = subscription ? null : await lockPurchase(tx, orderId)
  const order = purchase?.order ?? (await findOrder(sql, tenant, orderId))
  const recovery = await recoveryOfOrder(sql, orderId)
  if (recovery?.status !== 'open' || order?.status !== 'pending') throw new Refusal('order_not_in_recovery')
  if (subscription) return { order, recovery, subscription, purchase: null }
  if (!purchase) throw new Error(`recovery ${recovery.id} has neither a purchase nor a subscription`)
  return { order, recovery, subscription: null, purchase }
}
