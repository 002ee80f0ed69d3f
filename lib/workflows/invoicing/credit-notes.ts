import type { Locale } from '../../kernel/locale.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { creditNoteSeries, invoiceNumber } from '../../modules/invoices/rules/number.ts'
import { takeNumbers } from '../../modules/invoices/store.ts'
import { creditNoteOf, type Reversal, reversalOf } from '../../modules/orders/rules/credit-note.ts'
import type { Described, Order, OrderLine } from '../../modules/orders/rules/order.ts'
import type { Part } from '../../modules/orders/rules/reverse.ts'
import { insertOrder } from '../../modules/orders/store.ts'
import { translator } from '../../platform/translate.ts'

const inEnglish = {
  refund: 'Refund',
  fullRefund: 'Full refund',
  chargeback: 'Chargeback',
  correction: 'Correction',
  writtenOff: 'Written off',
  taxRefund: 'Tax refund',
} as const

/** Describes a reversed line: in English for merchants, and in the buyer's language for the credit note. */
export type ReversalWords = (line: OrderLine, kind: keyof typeof inEnglish) => Described

export async function reversalWords(locale: Locale): Promise<ReversalWords> {
  const t = await translator(locale)
  return ({ description, onInvoice }, kind) => ({
    description: `${description} (${inEnglish[kind]})`,
    invoiceDescription: t(`invoice.lines.${kind}`, { description: onInvoice?.description ?? description }),
  })
}

export const newReversal = (
  { newId }: Pick<Transaction, 'newId'>,
  order: Order,
  parts: readonly Part[],
  of: 'refund_item_' | 'chargeback_item_',
  describe: (line: OrderLine) => Described,
): Reversal =>
  reversalOf(order, parts, {
    lineIds: parts.map(() => newId(of)),
    describe,
  })

/** Emits no event, because the event of the refund or chargeback covers the credit note. */
export async function issueCreditNote(
  { sql, now, newId, ...tenant }: Transaction,
  original: Order,
  reversal: Reversal,
  metadata: string | null,
): Promise<Order> {
  const series = creditNoteSeries(tenant, now)
  const creditNote = creditNoteOf(original, reversal, {
    id: newId('order_'),
    lineIds: reversal.lines.map(() => newId('order_item_')),
    number: { scope: series.scope, number: invoiceNumber(series, await takeNumbers(sql, series, 1)) },
    metadata,
    now,
  })
  await insertOrder(sql, tenant, creditNote)
  return creditNote
}
