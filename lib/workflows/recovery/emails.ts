import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { sellingOf } from '../../modules/accounts/store.ts'
import { makeLink } from '../../modules/billing-updates/link.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { EmailContent, RecoveryEmail } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { endsAt, type Recovery, reminderAt } from '../../modules/recovery/rules/index.ts'
import { directDebitOf } from '../../modules/subscriptions/direct-debit.ts'
import { type ChargesAfterDebt, chargesAfterDebt } from '../../modules/subscriptions/next-charge.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { agreedSubscription, recipientOf } from '../customer-emails/recipients.ts'

interface Failed {
  readonly recovery: Recovery
  readonly subscription: Subscription
  readonly order: Order
}

/** Emails the customer what is owed, what happens next and where to change the payment method. */
export async function sendReminder(tx: Transaction, failed: Failed): Promise<void> {
  const { recovery, subscription } = failed
  const { kind, failureReason: reason, nextStepAt, stepsDone } = recovery
  if (!nextStepAt) return
  const nowhere = { redirectUrlSuccess: null, redirectUrlCanceled: null, billingAddress: null }
  const updateUrl = await makeLink(tx, { subscriptionId: subscription.id, ...nowhere }, 'email')
  const nextAttemptAt = toWire(nextStepAt)
  const directDebit = directDebitOf(subscription.mandate, tx.testmode)
  const { isSuspended } = await sellingOf(tx.sql, tx)
  const { waiting } = chargesAfterDebt(subscription, { now: nextStepAt, isSuspended })
  const sent = await sendRecoveryEmail(
    tx,
    failed,
    kind === 'soft'
      ? { kind: 'payment_failed', reason, nextAttemptAt, directDebit, updateUrl, ...(waiting && { waiting }) }
      : {
          kind: 'payment_method_needed',
          reason,
          endsAt: toWire(endsAt(recovery) ?? nextStepAt),
          updateUrl,
          reminder: reminderAt(kind, stepsDone),
        },
  )
  if (sent === null && kind === 'soft' && directDebit) await announceRetry(tx, failed, { at: nextAttemptAt, waiting })
}

/** Where the storefront has switched off the email that says when it is charged again, a direct debit is announced yet. */
async function announceRetry(
  tx: Transaction,
  { subscription, order }: Failed,
  { at, waiting }: { at: string } & Pick<ChargesAfterDebt, 'waiting'>,
): Promise<void> {
  const { to, locale, common, portalUrl } = await recipientOf(tx, subscription)
  const nextCharge = { total: amount(order.total, order.currency), at }
  const agreed = { ...agreedSubscription(subscription, tx), nextCharge }
  const notice = { ...common, portalUrl, kind: 'debit_notice' as const, subscription: agreed, nextCharge }
  const content = { ...notice, ...(waiting && { waiting }) }
  await enqueueEmail(tx, { to, locale, subscriptionId: subscription.id, content })
}

/** Emails the customer that the subscription ended. */
export async function sendFinalNotice(tx: Transaction, failed: Failed): Promise<void> {
  await sendRecoveryEmail(tx, failed, { kind: 'canceled_for_nonpayment' })
}

/** What is particular to one of the emails; the rest follows from the subscription and the order. */
type Particular = RecoveryEmail extends infer Each
  ? Each extends RecoveryEmail
    ? Omit<Each, 'subscriptionName' | 'amount'>
    : never
  : never

async function sendRecoveryEmail(
  tx: Transaction,
  { subscription, order }: Failed,
  particular: Particular,
): Promise<string | null> {
  const { to, locale, common } = await recipientOf(tx, subscription, order)
  const charge = { subscriptionName: subscription.name, amount: amount(order.total, order.currency) }
  const content = { ...common, ...charge, ...particular } as EmailContent
  return enqueueEmail(tx, { to, locale, subscriptionId: subscription.id, content })
}
