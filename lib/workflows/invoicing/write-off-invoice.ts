import type { Transaction } from '../../modules/events/transact.ts'
import { post } from '../../modules/ledger/post.ts'
import { postWrittenOff } from '../../modules/ledger/rules/returned-debit.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { leftOf, reverseGross } from '../../modules/orders/rules/reverse.ts'
import { sendWriteOff } from '../customer-emails/refund.ts'
import { issueCreditNote, newReversal, reversalWords } from './credit-notes.ts'

/** Writes off the invoice of a returned direct debit whose recovery collected nothing. Does nothing if the order has no invoice. */
export async function writeOffInvoice(tx: Transaction, order: Order): Promise<void> {
  if (order.invoice === null) return
  const words = await reversalWords(order.locale)
  const parts = reverseGross(order, leftOf(order, []), order.total)
  const reversal = newReversal(tx, order, parts, 'refund_item_', (line) => words(line, 'writtenOff'))
  const creditNote = await issueCreditNote(tx, order, reversal, null)
  const { id, currency, total, subtotal } = order
  const entries = postWrittenOff({ tax: total - subtotal })
  await post(tx, [{ subjectId: id, cause: 'order.written_off', orderId: id, currency, entries }])
  await sendWriteOff(tx, { order, creditNote })
}
