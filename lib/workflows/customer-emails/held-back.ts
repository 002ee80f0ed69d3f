import { disabledKinds } from '../../modules/emails/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { mayHoldBack } from '../../modules/recovery/rules/index.ts'
import { holdingRecoveries } from '../../modules/recovery/store.ts'
import {
  isNoticeAhead,
  nextRenewalAt,
  noticeKindsOf,
  type Subscription,
} from '../../modules/subscriptions/rules/index.ts'

/** The recovery's receipt then announces the charge. Call it with the subscription locked. */
export async function isHeldBack(tx: Transaction, subscription: Subscription): Promise<boolean> {
  const due = nextRenewalAt(subscription)
  if (!due) return false
  const recoveries = await holdingRecoveries(tx.sql, subscription.id)
  return recoveries.some((each) => mayHoldBack(each, due))
}

/** A renewal after a year is announced in any case. */
export const waitsForReceipt = async (tx: Transaction, subscription: Subscription): Promise<boolean> =>
  !noticeKindsOf(subscription).includes('renewal_notice') && (await isHeldBack(tx, subscription))

/** The notice of a trial's end does not announce the charge if the storefront disabled it. */
export async function willBeNoticed(tx: Transaction, subscription: Subscription): Promise<boolean> {
  if (!isNoticeAhead(subscription, tx.now)) return false
  return subscription.status !== 'trial' || !(await disabledKinds(tx.sql, tx.storefrontId)).has('trial_ending')
}
