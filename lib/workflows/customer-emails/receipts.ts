import { amount } from '../../kernel/money.ts'
import { enqueueEmails, type NewEmail } from '../../modules/emails/enqueue.ts'
import type { EmailContent, EmailDocument } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { config } from '../../platform/config.ts'
import { agreedSubscription, recipientsOf } from './recipients.ts'

/** A paid order, with the subscriptions that it is for. */
export interface Paid {
  readonly order: Order
  readonly subscriptions: readonly Subscription[]
  /** The transaction at the order's own moment, where that is another one. */
  readonly own?: Transaction
}

/**
 * Emails the buyers of paid orders, in the transaction that pays them. One email says what was paid and, of a purchase,
 * what was agreed. An order over nothing has no invoice: its buyer gets no email.
 */
export async function sendReceipts(tx: Transaction, paid: readonly Paid[]): Promise<void> {
  const invoiced = paid.filter(({ order }) => order.invoice !== null)
  if (invoiced.length === 0) return
  const orders = invoiced.map(({ order }) => order)
  const recipientOf = await recipientsOf(tx, orders)
  await enqueueEmails(
    tx,
    invoiced.map(({ order, subscriptions, own = tx }): NewEmail => {
      const { to, locale, common } = recipientOf(order)
      const mail: EmailContent = {
        ...common,
        kind: 'receipt',
        of: order.checkoutId === null ? 'subscription' : 'purchase',
        document: summaryOf(order),
        subscriptions: subscriptions.map((each) => agreedSubscription(each, own.now)),
        termsUrl: config().termsUrl,
      }
      return { to, locale, mail, orderId: order.id, own }
    }),
  )
}

/** An invoice or credit note in an email, from its order. */
function summaryOf({ invoice, lines, taxSummary, subtotal, total, currency }: Order): EmailDocument {
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
