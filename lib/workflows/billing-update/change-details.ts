import { withDetails } from '../../modules/billing-updates/rules/details.ts'
import type { BillingDetails } from '../../modules/customers/rules/billing-details.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { openVerification, saveOrder } from '../../modules/orders/store.ts'
import { withOwed } from '../../modules/subscriptions/owed.ts'
import { shownSubscription } from '../../modules/subscriptions/resource.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { findSubscriptions, saveSubscriptions } from '../../modules/subscriptions/store.ts'
import { setTaxIdChecks } from '../../modules/subscriptions/timer.ts'
import { sendBillingUpdated } from '../customer-emails/billing-updated.ts'
import { announceChangedCharge } from '../customer-emails/changed-charge.ts'
import { askSoon } from '../tax-ids/ask-again-later.ts'

/** Emits one event for each changed subscription that has started. The caller holds the locks of all subscriptions in `before`. */
export async function changeDetails(
  tx: Transaction,
  before: readonly Subscription[],
  details: BillingDetails,
): Promise<void> {
  const changed = withDetails(before, details)
  await saveSubscriptions(tx.sql, changed)
  for (const each of before) await changeVerification(tx, changed.find(({ id }) => id === each.id) ?? each)
  const { taxId, country } = details
  if (!tx.testmode && taxId && country) await askSoon(tx, taxId, country)
  await setTaxIdChecks(tx, changed)
  // A subscription whose first payment is still open emits no event, because it has not started.
  const announced = await withOwed(
    tx.sql,
    changed.filter(({ startedAt }) => startedAt !== null),
  )
  await tx.emitAll(
    announced.map((subscription) => ({
      name: 'subscription.billing_updated',
      object: shownSubscription(subscription),
    })),
  )
  const formerOf = (each: Subscription) => before.find(({ id }) => id === each.id) ?? each
  // The subscriptions are read again, because their details now include the response of the tax registry.
  const [first, ...others] = await findSubscriptions(
    tx.sql,
    tx,
    changed.map(({ id }) => id),
  )
  // The customer gets one email about the details, and one more email for each other subscription whose next charge changes.
  if (first) await sendBillingUpdated(tx, formerOf(first), first)
  for (const each of others) await announceChangedCharge(tx, formerOf(each), each)
}

/**
 * Copies the new details to the order of an open verification. A successful verification stores the details of its
 * order in the subscription, so old details in the order would replace the new details.
 */
async function changeVerification({ sql }: Transaction, { id, billingAddress }: Subscription): Promise<void> {
  const order = await openVerification(sql, id)
  if (!order) return
  await saveOrder(sql, { ...order, customerDetails: { ...billingAddress, email: order.customerDetails.email } })
}
