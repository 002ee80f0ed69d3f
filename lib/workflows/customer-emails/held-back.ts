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

/** Whether an open recovery may hold the next charge of a locked subscription back beyond its day. Its receipt announces the charge then. */
export async function isHeldBack(tx: Transaction, subscription: Subscription): Promise<boolean> {
  const due = nextRenewalAt(subscription)
  if (!due) return false
  const recoveries = await holdingRecoveries(tx.sql, subscription.id)
  return recoveries.some((each) => mayHoldBack(each, due))
}

/**
 * Whether another charge than was announced is left to the receipt of a recovery that may hold it back. A renewal after a year
 * is announced in any case.
 */
export const waitsForReceipt = async (tx: Transaction, subscription: Subscription): Promise<boolean> =>
  !noticeKindsOf(subscription).includes('renewal_notice') && (await isHeldBack(tx, subscription))

/** Whether a notice that is still ahead will announce the next charge: not that of a trial's end, where the storefront has switched it off. */
export async function willBeNoticed(tx: Transaction, subscription: Subscription): Promise<boolean> {
  if (!isNoticeAhead(subscription, tx.now)) return false
  return subscription.status !== 'trial' || !(await disabledKinds(tx.sql, tx.storefrontId)).has('trial_ending')
}
