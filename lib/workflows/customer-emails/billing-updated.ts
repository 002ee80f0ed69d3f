import { toWire } from '../../kernel/moment.ts'
import { sameDetails } from '../../modules/billing-updates/rules/details.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { changedCharge } from './changed-charge.ts'
import { recipientOf } from './recipients.ts'

/** The email states the next charge if the new details change the tax of that charge. */
export async function sendBillingUpdated(tx: Transaction, before: Subscription, after: Subscription): Promise<void> {
  const { to, locale, common, portalUrl } = await recipientOf(tx, after)
  const { name: subscriptionName, mandate } = after
  const changed = await changedCharge(tx, before, after)
  const isNew = mandate !== null && mandate.id !== before.mandate?.id
  await enqueueEmail(tx, {
    to,
    locale,
    subscriptionId: after.id,
    content: {
      ...common,
      portalUrl,
      kind: 'billing_updated',
      subscriptionName,
      hasNewDetails: !sameDetails(after.billingAddress, before.billingAddress),
      newMethod: isNew ? { method: mandate.method, maskedIdentifier: mandate.maskedIdentifier } : null,
      changedAt: toWire(tx.now),
      ...(changed && { nextCharge: { ...changed.nextCharge, insteadOf: changed.insteadOf.total } }),
    },
  })
}
