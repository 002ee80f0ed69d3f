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
 * Links to the form for a method, and states the next charge. Sends nothing without a next charge. `cause`: why the
 * payment method is missing. Call it with the subscription locked.
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
