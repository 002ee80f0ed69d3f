import { amount } from '../../kernel/money.ts'
import type { EmailDocument } from '../../modules/emails/rules/email.ts'
import { documentNumber, type Order } from '../../modules/orders/rules/order.ts'

export function summaryOf(order: Order): EmailDocument {
  const { lines, taxSummary, subtotal, total, currency } = order
  return {
    number: documentNumber(order),
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
