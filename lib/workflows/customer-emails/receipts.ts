import { enqueueEmails, type NewEmail } from '../../modules/emails/enqueue.ts'
import type { EmailContent, EmailWithdrawal } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { lastWithdrawalDay } from '../../modules/orders/rules/withdrawal.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { summaryOf } from './document.ts'
import { agreedSubscription, type Recipient, recipientsOf } from './recipients.ts'

/** A paid order, with the subscriptions that it is for. */
export interface Paid {
  readonly order: Order
  readonly subscriptions: readonly Subscription[]
  /** Whether its payment had failed before. */
  readonly isRecovered?: boolean
  /** The transaction at the order's own moment, where that is another one. */
  readonly own?: Transaction
}

/**
 * Reads to whom the receipts of orders go, before these are paid. What it returns emails them, in the transaction that pays the
 * orders. One email says what was paid and, of a purchase, what was agreed. A purchase of subscriptions for which nothing is due has no
 * invoice, and only what was agreed is confirmed. Any other order over nothing is not emailed.
 */
export async function receiptsOf(
  tx: Transaction,
  orders: readonly Order[],
): Promise<(paid: readonly Paid[]) => Promise<void>> {
  const recipientOf = await recipientsOf(tx, orders)
  return async (paid) => {
    const emailed = paid.filter(
      ({ order, subscriptions }) => order.invoice !== null || (order.checkoutId !== null && subscriptions.length > 0),
    )
    if (emailed.length > 0)
      await enqueueEmails(
        tx,
        emailed.map((each) => receiptOf(tx, each, recipientOf(each.order))),
      )
  }
}

function receiptOf(
  tx: Transaction,
  { order, subscriptions, isRecovered = false, own = tx }: Paid,
  recipient: Recipient,
): NewEmail {
  const { to, locale, common, portalUrl, termsUrl } = recipient
  const agreed = subscriptions.map((each) => agreedSubscription(each, own))
  const withdrawal = withdrawalOf(order, common.timeZone ?? null)
  const facts = { ...common, portalUrl, subscriptions: agreed, termsUrl, withdrawal }
  if (order.invoice === null) return { to, locale, content: { ...facts, kind: 'subscription_confirmation' }, own }
  const of = order.checkoutId === null ? 'subscription' : 'purchase'
  const kind = isRecovered ? 'payment_recovered' : 'receipt'
  const content: EmailContent = { ...facts, kind, of, document: summaryOf(order) }
  return { to, locale, content, orderId: order.id, own }
}

function withdrawalOf(order: Order, timeZone: string | null): EmailWithdrawal | null {
  const lastDay = lastWithdrawalDay(order, timeZone)
  const isLost = order.withdrawal?.kind === 'digital_content' && order.withdrawal.beginsAtOnce
  const url = isLost ? null : pageUrl(withdrawalPath(order.id))
  return order.withdrawal && lastDay !== null ? { ...order.withdrawal, lastDay, url } : null
}
