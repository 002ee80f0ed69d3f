import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { hasDisputedMandate } from '../../modules/payments/disputed-mandates.ts'
import { nextCharge, nextChargeView } from '../../modules/subscriptions/next-charge.ts'
import { isNoticeAhead, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { announceCharge } from './announce-charge.ts'
import { waitsForReceipt, willBeNoticed } from './held-back.ts'
import { askForMethod } from './payment-method-missing.ts'
import { noticedCharge, recipientOf } from './recipients.ts'

/** A next charge that is another one than was announced, and what an email says of it. */
interface ChangedCharge extends NonNullable<ReturnType<typeof noticedCharge>> {
  readonly insteadOf: NonNullable<ReturnType<typeof nextChargeView>>
}

/**
 * Compares the next charge of a locked subscription with what was announced: by the last receipt, by a notice, or by the
 * last email about a change. Null as long as the notice of the charge is still ahead, since it will have the new amount
 * and day; and where nothing will be charged, or where the charge waits for an outstanding payment, or may, whose
 * receipt announces it.
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

/** Emails that the next charge of a locked subscription is another one than was announced. */
export async function announceChangedCharge(tx: Transaction, before: Subscription, next: Subscription): Promise<void> {
  const changed = await changedCharge(tx, before, next)
  if (!changed) return
  const { to, locale, common, portalUrl } = await recipientOf(tx, next)
  // Its words are true of a trial and of a direct debit too, and it cannot be switched off.
  const content = { ...common, portalUrl, kind: 'renewal_notice', ...changed } as const
  await enqueueEmail(tx, { to, locale, subscriptionId: next.id, content })
}

/**
 * Emails the next charge of a locked subscription whose cancellation was withdrawn, or whose pause has ended. What was announced
 * before may be another one, since a cancellation drops scheduled updates and parked amounts, and nothing of them is kept to
 * compare with; in a pause changes are scheduled without an email, and the moments of notices pass. Nothing is sent where a notice of it is still ahead, or where it waits for an outstanding payment, or
 * may.
 */
export async function announceResumedCharge(tx: Transaction, resumed: Subscription): Promise<void> {
  if (resumed.mandate === null) {
    const isTaken = await hasDisputedMandate(tx.sql, resumed.customerId)
    return askForMethod(tx, resumed, isTaken ? 'disputed' : 'unsaved')
  }
  const coming = nextCharge(resumed, tx.now)
  if (!coming || coming.at <= tx.now || (await willBeNoticed(tx, resumed))) return
  if (!(await waitsForReceipt(tx, resumed))) await announceCharge(tx, resumed, 'renewal_notice')
}
