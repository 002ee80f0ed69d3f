import * as checkouts from '../../modules/checkouts/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { recordMandate } from '../../modules/payments/mandate.ts'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import type { Payment } from '../../modules/payments/store.ts'
import { currentSubscription } from '../../modules/subscriptions/resource.ts'
import { lateMandateMs } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscriptionsOfLines, saveSubscription } from '../../modules/subscriptions/store.ts'
import { setNotices } from '../../modules/subscriptions/timer.ts'
import { log } from '../../platform/log.ts'
import { collectOutstanding } from '../recovery/charge-outcome.ts'

/**
 * Saves a mandate that the provider returns only after the payment. Returns true if the mandate is still missing and
 * the payment must be fetched again later.
 */
export async function takeLateMandate(tx: Transaction, payment: Payment, { mandate: made }: ProviderPayment) {
  const { sql, now } = tx
  if (payment.purpose.kind !== 'sale' || payment.status !== 'paid' || !payment.makesMandate) return false
  const checkout = await checkouts.lockCheckout(sql, tx, payment.purpose.id)
  const sold = await lockSubscriptionsOfLines(sql, tx, checkout?.lines.map(({ id }) => id) ?? [])
  const without = [...sold.values()].filter(({ mandate, status }) => mandate === null && status !== 'canceled')
  const [first] = without
  if (!first) return false
  if (!made) {
    log.error({ paymentId: payment.id, subscriptionId: first.id }, 'a paid subscription has no mandate')
    return now.getTime() - (payment.finishedAt ?? now).getTime() < lateMandateMs
  }
  const mandate = await recordMandate(tx, first.customerId, made)
  for (const subscription of without) {
    const next = { ...subscription, mandate }
    await saveSubscription(sql, next)
    await tx.emit({ name: 'subscription.billing_updated', object: await currentSubscription(tx.sql, next) })
    await setNotices(tx, [next])
    await collectOutstanding(tx, next)
  }
  return false
}
