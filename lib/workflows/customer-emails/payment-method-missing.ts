import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { makeLink } from '../../modules/billing-updates/link.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { PaymentMethodMissingEmail } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { nextCharge } from '../../modules/subscriptions/next-charge.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { recipientOf } from './recipients.ts'

/**
 * Emails the customer a request for a payment method. Sends no email if nothing will be charged. `cause` says why the
 * payment method is missing. The caller holds the lock of the subscription.
 */
export async function askForMethod(
  tx: Transaction,
  subscription: Subscription,
  cause: PaymentMethodMissingEmail['cause'],
): Promise<void> {
  const coming = nextCharge(subscription, tx.now)
  if (!coming || coming.total === 0n) return
  const nowhere = { redirectUrlSuccess: null, redirectUrlCanceled: null, billingAddress: null }
  const updateUrl = await makeLink(tx, { subscriptionId: subscription.id, ...nowhere }, 'email')
  const { to, locale, common } = await recipientOf(tx, subscription)
  const next = { total: amount(coming.total, coming.currency), at: toWire(coming.at) }
  const content = {
    ...common,
    kind: 'payment_method_missing',
    cause,
    subscriptionName: subscription.name,
    nextCharge: next,
    updateUrl,
  } as const
  await enqueueEmail(tx, { to, locale, subscriptionId: subscription.id, content })
}
