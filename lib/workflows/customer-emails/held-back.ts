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

/** Whether an open recovery may delay the next charge. The caller holds the lock of the subscription. */
export async function isHeldBack(tx: Transaction, subscription: Subscription): Promise<boolean> {
  const due = nextRenewalAt(subscription)
  if (!due) return false
  const recoveries = await holdingRecoveries(tx.sql, subscription.id)
  return recoveries.some((each) => mayHoldBack(each, due))
}

/** Whether the receipt for a recovered payment will announce the next charge. False if the renewal has a renewal notice, which is always sent. */
export const waitsForReceipt = async (tx: Transaction, subscription: Subscription): Promise<boolean> =>
  !noticeKindsOf(subscription).includes('renewal_notice') && (await isHeldBack(tx, subscription))

/** Whether a later notice will announce the charge. False for a trial if the storefront has disabled the notices of the end of a trial. */
export async function willBeNoticed(tx: Transaction, subscription: Subscription): Promise<boolean> {
  if (!isNoticeAhead(subscription, tx.now)) return false
  return subscription.status !== 'trial' || !(await disabledKinds(tx.sql, tx.storefrontId)).has('trial_ending')
}
