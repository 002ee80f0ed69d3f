import { creditNoteSeries, invoiceNumber } from '../invoices/rules/number.ts'
import { takeNumbers } from '../invoices/store.ts'
import type { Work } from '../platform/transact.ts'
import { creditNoteOf, type Reversal, reversalOf } from './rules/credit-note.ts'
import type { Order, OrderLine } from './rules/order.ts'
import type { Part } from './rules/reverse.ts'
import { insertOrder } from './store.ts'

/** What goes back, with ids of its own for its lines. */
export const newReversal = (
  { newId }: Pick<Work, 'newId'>,
  order: Order,
  parts: readonly Part[],
  of: 'refund_item_' | 'chargeback_item_',
  describe: (line: OrderLine) => string,
): Reversal =>
  reversalOf(order, parts, {
    lineIds: parts.map(() => newId(of)),
    describe,
  })

/**
 * Issues the credit note of what went back of an order, with the next number of its series, in the caller's transaction. No
 * event tells of it: the refund's or the chargeback's does.
 */
export async function issueCreditNote(
  { sql, now, newId, ...scope }: Work,
  original: Order,
  reversal: Reversal,
  metadata: string | null,
): Promise<Order> {
  const series = creditNoteSeries(scope, now)
  const creditNote = creditNoteOf(original, reversal, {
    id: newId('order_'),
    lineIds: reversal.lines.map(() => newId('order_item_')),
    number: { scope: series.scope, number: invoiceNumber(series, await takeNumbers(sql, series, 1)) },
    metadata,
    now,
  })
  await insertOrder(sql, scope, creditNote)
  return creditNote
}
