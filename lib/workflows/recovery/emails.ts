import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { sellingOf } from '../../modules/accounts/store.ts'
import { makeLink } from '../../modules/billing-updates/link.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { EmailContent, RecoveryEmail } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { unpaidOrders } from '../../modules/orders/store.ts'
import { chargedAgainAt, endsAt, holdsRenewals, type Recovery, reminderAt } from '../../modules/recovery/rules/index.ts'
import { holdingRecoveries, openRecoveries } from '../../modules/recovery/store.ts'
import { directDebitOf } from '../../modules/subscriptions/direct-debit.ts'
import { type ChargesAfterDebt, chargesAfterDebt } from '../../modules/subscriptions/next-charge.ts'
import type { Subscription, Undone } from '../../modules/subscriptions/rules/index.ts'
import { agreedSubscription, recipientOf } from '../customer-emails/recipients.ts'

interface Failed {
  readonly recovery: Recovery
  readonly subscription: Subscription
  readonly order: Order
}

/** Returns the id of the email. Returns null if the storefront disabled this kind of email, or if a charge is in progress. */
export async function sendReminder(tx: Transaction, failed: Failed): Promise<string | null> {
  const { recovery, subscription } = failed
  const { kind, failureReason: reason, nextStepAt, stepsDone } = recovery
  if (!nextStepAt) return null
  const nowhere = { redirectUrlSuccess: null, redirectUrlCanceled: null, billingAddress: null }
  const updateUrl = await makeLink(tx, { subscriptionId: subscription.id, ...nowhere }, 'email')
  const isOfChange = recovery.collects === 'change'
  const nextAttemptAt = toWire(nextStepAt)
  const directDebit = directDebitOf(subscription.mandate, tx.testmode)
  const waiting = await releasedAt(tx, subscription, { recovery, at: nextStepAt })
  const sent = await sendRecoveryEmail(
    tx,
    failed,
    kind === 'soft'
      ? {
          kind: 'payment_failed',
          isOfChange,
          reason,
          nextAttemptAt,
          directDebit,
          updateUrl,
          ...(waiting && { waiting }),
        }
      : {
          kind: 'payment_method_needed',
          isOfChange,
          reason,
          endsAt: toWire(endsAt(recovery) ?? nextStepAt),
          updateUrl,
          reminder: reminderAt(kind, stepsDone),
        },
  )
  if (sent === null && kind === 'soft' && directDebit) await announceRetry(tx, failed, { at: nextAttemptAt, waiting })
  return sent
}

/**
 * Returns the periods that are charged after the recovery. Returns null while another recovery also delays these periods, because the receipt of the
 * other recovery states them.
 */
async function releasedAt(
  tx: Transaction,
  subscription: Subscription,
  { recovery, at }: { recovery: Recovery; at: Date },
): Promise<ChargesAfterDebt['waiting']> {
  const holding = await holdingRecoveries(tx.sql, subscription.id)
  if (!holdsRenewals(recovery) || holding.some((other) => other.id !== recovery.id)) return null
  const { isSuspended } = await sellingOf(tx.sql, tx)
  return chargesAfterDebt(subscription, { now: at, isSuspended }).waiting
}

/**
 * Announces the retries of direct debits whose amount was reduced. `lower` contains the ids of the reduced orders. The
 * caller holds the lock of the subscription.
 */
export async function announceLowerRetries(
  tx: Transaction,
  subscription: Subscription,
  lower: ReadonlySet<string>,
): Promise<void> {
  if (directDebitOf(subscription.mandate, tx.testmode) === null) return
  const orders = await unpaidOrders(tx.sql, subscription.id)
  for (const recovery of await openRecoveries(tx.sql, subscription.id)) {
    const order = orders.find(({ id }) => id === recovery.orderId)
    const at = chargedAgainAt(recovery)
    if (!order || !at || !lower.has(order.id)) continue
    const waiting = await releasedAt(tx, subscription, { recovery, at })
    await announceRetry(tx, { subscription, order }, { at: toWire(at), waiting })
  }
}

/** Announces a retry by direct debit. Call this function only if no other email announces the attempt with its current amount. */
async function announceRetry(
  tx: Transaction,
  { subscription, order }: Omit<Failed, 'recovery'>,
  { at, waiting }: { at: string } & Pick<ChargesAfterDebt, 'waiting'>,
): Promise<void> {
  const { to, locale, common, portalUrl } = await recipientOf(tx, subscription)
  const nextCharge = { total: amount(order.total, order.currency), at }
  const agreed = { ...agreedSubscription(subscription, tx), nextCharge }
  const notice = { ...common, portalUrl, kind: 'debit_notice' as const, subscription: agreed, nextCharge }
  const content = { ...notice, ...(waiting && { waiting }) }
  await enqueueEmail(tx, { to, locale, subscriptionId: subscription.id, content })
}

export async function sendFinalNotice(tx: Transaction, failed: Omit<Failed, 'recovery'>): Promise<void> {
  await sendRecoveryEmail(tx, failed, { kind: 'canceled_for_nonpayment' })
}

export async function sendChangeUndone(
  tx: Transaction,
  { subscription, order, when }: Omit<Failed, 'recovery'> & Pick<Undone, 'when'>,
): Promise<void> {
  const { renewedUntil } = subscription
  const returnsAt = when === 'at_renewal' && renewedUntil ? toWire(renewedUntil) : null
  await sendRecoveryEmail(tx, { subscription, order }, { kind: 'change_undone', returnsAt })
}

type Particular = RecoveryEmail extends infer Each
  ? Each extends RecoveryEmail
    ? Omit<Each, 'subscriptionName' | 'amount'>
    : never
  : never

async function sendRecoveryEmail(
  tx: Transaction,
  { subscription, order }: Omit<Failed, 'recovery'>,
  particular: Particular,
): Promise<string | null> {
  const { to, locale, common } = await recipientOf(tx, subscription, order)
  const charge = { subscriptionName: subscription.name, amount: amount(order.total, order.currency) }
  const content = { ...common, ...charge, ...particular } as EmailContent
  return enqueueEmail(tx, { to, locale, subscriptionId: subscription.id, content })
}
