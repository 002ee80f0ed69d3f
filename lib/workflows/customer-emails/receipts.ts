import { enqueueEmails, type NewEmail } from '../../modules/emails/enqueue.ts'
import type { EmailContent, EmailWithdrawal } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { lastWithdrawalDay } from '../../modules/orders/rules/withdrawal.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { summaryOf } from './document.ts'
import { agreedSubscription, recipientsOf } from './recipients.ts'

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
 * Emails the buyers of paid orders, in the transaction that pays them. One email says what was paid and, of a purchase,
 * what was agreed. A purchase of subscriptions for which nothing is due has no invoice, and only what was agreed is
 * confirmed. Any other order over nothing is not emailed.
 */
export async function sendReceipts(tx: Transaction, paid: readonly Paid[]): Promise<void> {
  const emailed = paid.filter(
    ({ order, subscriptions }) => order.invoice !== null || (order.checkoutId !== null && subscriptions.length > 0),
  )
  if (emailed.length === 0) return
  const orders = emailed.map(({ order }) => order)
  const recipientOf = await recipientsOf(tx, orders)
  await enqueueEmails(
    tx,
    emailed.map(({ order, subscriptions, isRecovered = false, own = tx }): NewEmail => {
      const { to, locale, common, termsUrl } = recipientOf(order)
      const agreed = subscriptions.map((each) => agreedSubscription(each, own))
      const facts = {
        ...common,
        subscriptions: agreed,
        termsUrl,
        withdrawal: withdrawalOf(order, common.timeZone ?? null),
      }
      if (order.invoice === null) return { to, locale, mail: { ...facts, kind: 'subscription_confirmation' }, own }
      const of = order.checkoutId === null ? 'subscription' : 'purchase'
      const mail: EmailContent = {
        ...facts,
        kind: isRecovered ? 'payment_recovered' : 'receipt',
        of,
        document: summaryOf(order),
      }
      return { to, locale, mail, orderId: order.id, own }
    }),
  )
}

function withdrawalOf(order: Order, timeZone: string | null): EmailWithdrawal | null {
  const lastDay = lastWithdrawalDay(order, timeZone)
  const isLost = order.withdrawal?.kind === 'digital_content' && order.withdrawal.beginsAtOnce
  const url = isLost ? null : pageUrl(withdrawalPath(order.id))
  return order.withdrawal && lastDay !== null ? { ...order.withdrawal, lastDay, url } : null
}
