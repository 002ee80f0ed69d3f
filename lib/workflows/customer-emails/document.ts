import { amount } from '../../kernel/money.ts'
import type { EmailDocument } from '../../modules/emails/rules/email.ts'
import type { Order } from '../../modules/orders/rules/order.ts'

/** An invoice or credit note in an email, from its order. */
export function summaryOf({ invoice, lines, taxSummary, subtotal, total, currency }: Order): EmailDocument {
  return {
    number: invoice?.number ?? '',
    lines: lines.map((line) => ({
      description: line.onInvoice?.description ?? line.description,
      quantity: line.quantity,
      subtotal: amount(line.subtotal, currency),
    })),
    subtotal: amount(subtotal, currency),
    taxes: taxSummary.map(({ rate, amount: tax }) => ({
      name: rate.name,
      percentage: Number(rate.percentage),
      amount: amount(tax, currency),
    })),
    total: amount(total, currency),
  }
}
