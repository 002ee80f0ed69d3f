import type { Currency } from '../kernel/money.ts'
import { insertRows } from '../platform/db.ts'
import type { Work } from '../platform/transact.ts'
import type { Entry } from './rules/sale.ts'

/** Books the entries of one movement of money as one transaction, in the transaction of its cause. Append only. */
export async function book(
  { sql, now, newId, storefrontId, testmode }: Work,
  {
    cause,
    orderId,
    currency,
    entries,
  }: { cause: string; orderId: string; currency: Currency; entries: readonly Entry[] },
): Promise<void> {
  const shared = {
    transaction_id: newId('ledger_'),
    storefront_id: storefrontId,
    testmode,
    order_id: orderId,
    cause,
    currency,
    created_at: now,
  }
  const rows = entries.map((entry) => ({ id: newId('entry_'), ...shared, ...entry }))
  await insertRows(sql, 'ledger_entries', rows)
}
