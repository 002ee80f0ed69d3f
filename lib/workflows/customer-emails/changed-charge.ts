import { hasLostMethodToDispute } from '../../modules/chargebacks/lost-methods.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { nextCharge, nextChargeView } from '../../modules/subscriptions/next-charge.ts'
import { isNoticeAhead, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { announceCharge } from './announce-charge.ts'
import { waitsForReceipt, willBeNoticed } from './held-back.ts'
import { askForMethod } from './payment-method-missing.ts'
import { noticedCharge, recipientOf } from './recipients.ts'

interface ChangedCharge extends NonNullable<ReturnType<typeof noticedCharge>> {
  readonly insteadOf: NonNullable<ReturnType<typeof nextChargeView>>
}

/**
 * Returns the next charge if it changed and an email must announce the change. Returns null if the charge did not
 * change, or if another email will announce it. The caller holds the lock of the subscription.
 */
export async function changedCharge(
  tx: Transaction,
  before: Subscription,
  next: Subscription,
): Promise<ChangedCharge | null> {
  const { now } = tx
  const [known, coming] = [nextCharge(before, now), nextCharge(next, now)]
  if (!known || !coming || coming.at <= now) return null
  if (known.total === coming.total && known.at.getTime() === coming.at.getTime()) return null
  if (isNoticeAhead(before, now) && (await willBeNoticed(tx, next))) return null
  if (await waitsForReceipt(tx, next)) return null
  const noticed = noticedCharge(next, tx)
  const insteadOf = nextChargeView(before, now)
  return noticed && insteadOf && { ...noticed, insteadOf }
}

export async function announceChangedCharge(tx: Transaction, before: Subscription, next: Subscription): Promise<void> {
  const changed = await changedCharge(tx, before, next)
  if (!changed) return
  const { to, locale, common, portalUrl } = await recipientOf(tx, next)
  // This email is a renewal notice, because merchants cannot disable renewal notices, and because the text also fits a trial and a direct debit.
  const content = { ...common, portalUrl, kind: 'renewal_notice', ...changed } as const
  await enqueueEmail(tx, { to, locale, subscriptionId: next.id, content })
}

/**
 * Announces the next charge after a subscription was resumed, because the customer may not know this charge. The
 * cancellation had removed scheduled updates and deferred amounts, or the service had sent no notices and no emails
 * about scheduled changes during the pause. Sends no email if a later notice will announce the charge, or if the charge
 * may wait for an outstanding payment. If the subscription has no payment method, asks for a payment method instead.
 */
export async function announceResumedCharge(tx: Transaction, resumed: Subscription): Promise<void> {
  if (resumed.mandate === null) {
    const isTaken = await hasLostMethodToDispute(tx.sql, resumed.id)
    return askForMethod(tx, resumed, isTaken ? 'disputed' : 'unsaved')
  }
  const coming = nextCharge(resumed, tx.now)
  if (!coming || coming.at <= tx.now || (await willBeNoticed(tx, resumed))) return
  if (!(await waitsForReceipt(tx, resumed))) await announceCharge(tx, resumed, 'renewal_notice')
}
