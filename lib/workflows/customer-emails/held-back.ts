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

/**
 * Whether an open recovery may delay the next charge of a locked subscription. The recovery's receipt then announces
 * it.
 */
export async function isHeldBack(tx: Transaction, subscription: Subscription): Promise<boolean> {
  const due = nextRenewalAt(subscription)
  if (!due) return false
  const recoveries = await holdingRecoveries(tx.sql, subscription.id)
  return recoveries.some((each) => mayHoldBack(each, due))
}

/**
 * Whether a recovery's receipt will announce a changed charge, because the recovery may delay the charge. A renewal
 * after a year is announced in any case.
 */
export const waitsForReceipt = async (tx: Transaction, subscription: Subscription): Promise<boolean> =>
  !noticeKindsOf(subscription).includes('renewal_notice') && (await isHeldBack(tx, subscription))

/**
 * Whether a future notice will announce the next charge. The notice of a trial's end does not if the storefront
 * disabled it.
 */
export async function willBeNoticed(tx: Transaction, subscription: Subscription): Promise<boolean> {
  if (!isNoticeAhead(subscription, tx.now)) return false
  return subscription.status !== 'trial' || !(await disabledKinds(tx.sql, tx.storefrontId)).has('trial_ending')
}
