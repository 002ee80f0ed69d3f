import { type Currency, sum } from '../../kernel/money.ts'
import type { Transaction } from '../events/transact.ts'
import type { Entry } from './rules/account.ts'
import { insertEntries } from './store.ts'
import { balanceIncreased } from './tasks.ts'

/** The entries of a posting sum to zero. */
export interface Posting {
  readonly subjectId: string
  /** The event that moves money. A unique index prevents a second posting of the same subject and cause. */
  readonly cause: string
  /** `orderId` is null for a payout. */
  readonly orderId: string | null
  readonly currency: Currency
  readonly entries: readonly Entry[]
  /**
   * Provides the ids and the time of this posting instead of `tx`. Set if the time of the posting differs from the time
   * of the call.
   */
  readonly own?: Transaction
}

/** Inserts the postings in the database transaction of their cause. Each posting is one ledger transaction. Entries never change. */
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
    await enqueueBalanceIncreased(tx, currency)
  }
}

/** Enqueues at most one task per balance, for the refunds that wait for the balance. The caller must lock the balance first. */
export async function enqueueBalanceIncreased(
  { storefrontId, testmode, enqueue, now }: Transaction,
  currency: Currency,
): Promise<void> {
  const key = [storefrontId, testmode ? 'test' : 'live', currency].join(' ')
  await enqueue(balanceIncreased, { key, data: { currency }, dueAt: now })
}
