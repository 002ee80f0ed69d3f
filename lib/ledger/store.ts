import type { Currency } from '../kernel/money.ts'
import { insertRows } from '../platform/db.ts'
import type { Work } from '../platform/transact.ts'
import type { Entry } from './rules/sale.ts'

/** One movement of money: its entries sum to zero. */
export interface Booking {
  readonly cause: string
  readonly orderId: string
  readonly currency: Currency
  readonly entries: readonly Entry[]
}

/** Books movements of money, each as one transaction of the ledger, in the transaction of their cause. Append only. */
export async function book(
  { sql, now, newId, storefrontId, testmode }: Work,
  bookings: readonly Booking[],
): Promise<void> {
  const rows = bookings.flatMap(({ cause, orderId, currency, entries }) => {
    const shared = {
      transaction_id: newId('ledger_'),
      storefront_id: storefrontId,
      testmode,
      order_id: orderId,
      cause,
      currency,
      created_at: now,
    }
    return entries.map((entry) => ({ id: newId('entry_'), ...shared, ...entry }))
  })
  if (rows.length > 0) await insertRows(sql, 'ledger_entries', rows)
}
