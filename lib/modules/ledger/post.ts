import { type Currency, sum } from '../../kernel/money.ts'
import type { Transaction } from '../events/transact.ts'
import type { Entry } from './rules/account.ts'
import { insertEntries } from './store.ts'
import { balanceIncreased } from './tasks.ts'

/** One movement of money: its entries sum to zero. */
export interface Posting {
  /** The order, refund, chargeback or payout that is posted. */
  readonly subjectId: string
  /** The event that moves money; nothing is posted twice for the same subject and cause (a unique index). */
  readonly cause: string
  /** The order of the money; null for a payout. */
  readonly orderId: string | null
  readonly currency: Currency
  readonly entries: readonly Entry[]
  /** The transaction at the time of the posting, if that differs from the time of the call. */
  readonly own?: Transaction
}

/**
 * Posts movements of money, each as one ledger transaction, in the database transaction of their cause. Append only.
 */
export async function post(tx: Transaction, bookings: readonly Posting[]): Promise<void> {
  const { sql, ...tenant } = tx
  const entries = bookings.flatMap(({ entries, own: { newId, now } = tx, ...booking }) => {
    const shared = { transactionId: newId('ledger_'), ...booking, createdAt: now }
    return entries.map((entry) => ({ id: newId('entry_'), ...shared, ...entry }))
  })
  if (entries.length === 0) return
  const moved = await insertEntries(sql, tenant, entries)
  for (const { currency } of moved.filter(({ account, hasWaiters }) => account === 'merchant_balance' && hasWaiters)) {
    const ofBalance = entries.filter((entry) => entry.account === 'merchant_balance' && entry.currency === currency)
    if (sum(ofBalance.map(({ amount }) => amount)) >= 0n) continue
    await notifyBalanceIncrease(tx, currency)
  }
}

/**
 * Enqueues the task that processes the refunds waiting for a balance, if there are any: one task for each balance,
 * which the caller has locked.
 */
export async function notifyBalanceIncrease(
  { storefrontId, testmode, enqueue, now }: Transaction,
  currency: Currency,
): Promise<void> {
  const key = [storefrontId, testmode ? 'test' : 'live', currency].join(' ')
  await enqueue(balanceIncreased, { key, data: { currency }, dueAt: now })
}
