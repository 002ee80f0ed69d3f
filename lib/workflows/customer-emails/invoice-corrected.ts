import { amount } from '../../kernel/money.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { documentNumber, type Order } from '../../modules/orders/rules/order.ts'
import { summaryOf } from './document.ts'
import { recipientsOf } from './recipients.ts'

/** The corrected invoice has no tax. `tax` is the refunded amount in minor units. */
export async function sendInvoiceCorrected(
  tx: Transaction,
  { order, creditNote, replacement, tax }: { order: Order; creditNote: Order; replacement: Order; tax: bigint },
): Promise<void> {
  const { to, locale, common, portalUrl } = (await recipientsOf(tx, [order]))(order)
  const content = {
    ...common,
    portalUrl,
    kind: 'invoice_corrected',
    document: summaryOf(replacement),
    invoiceNumber: documentNumber(order),
    creditNoteNumber: documentNumber(creditNote),
    tax: amount(tax, order.currency),
  } as const
  await enqueueEmail(tx, { to, locale, content, orderId: replacement.id })
}
