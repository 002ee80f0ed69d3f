import { enqueueEmails, type NewEmail } from '../../modules/emails/enqueue.ts'
import type { EmailContent, EmailWithdrawal } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { lastWithdrawalDay } from '../../modules/orders/rules/withdrawal.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import { inRecovery } from '../../modules/recovery/store.ts'
import { chargesHeldBack } from '../../modules/subscriptions/next-charge.ts'
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
    if (emailed.length === 0) return
    const released = await releasedBy(tx, emailed)
    await enqueueEmails(
      tx,
      emailed.map((each) => receiptOf(tx, each, recipientOf(each.order), released)),
    )
  }
}

/** The subscriptions, by id, whose renewals waited for these payments and wait for nothing else. */
async function releasedBy(tx: Transaction, paid: readonly Paid[]): Promise<ReadonlySet<string>> {
  const recovered = paid.filter(({ isRecovered }) => isRecovered).flatMap(({ subscriptions }) => subscriptions)
  const ids = recovered.map(({ id }) => id)
  if (ids.length === 0) return new Set()
  const stillOpen = await inRecovery(tx.sql, ids)
  return new Set(ids.filter((id) => !stillOpen.has(id)))
}

function receiptOf(
  tx: Transaction,
  { order, subscriptions, isRecovered = false, own = tx }: Paid,
  recipient: Recipient,
  released: ReadonlySet<string>,
): NewEmail {
  const { to, locale, common, portalUrl, termsUrl } = recipient
  const heldBack = subscriptions.filter(({ id }) => released.has(id)).map((each) => chargesHeldBack(each, own.now))
  const { waiting, nextCharge } = heldBack.find((each) => each.waiting) ?? { waiting: null, nextCharge: null }
  const agreed = subscriptions.map((each) => ({ ...agreedSubscription(each, own), ...(waiting && { nextCharge }) }))
  const withdrawal = withdrawalOf(order, common.timeZone ?? null)
  const facts = { ...common, portalUrl, subscriptions: agreed, termsUrl, withdrawal }
  if (order.invoice === null) return { to, locale, content: { ...facts, kind: 'subscription_confirmation' }, own }
  const of = order.checkoutId === null ? 'subscription' : 'purchase'
  const kind = isRecovered ? 'payment_recovered' : 'receipt'
  const content: EmailContent = { ...facts, kind, of, document: summaryOf(order), ...(waiting && { waiting }) }
  return { to, locale, content, orderId: order.id, own }
}

function withdrawalOf(order: Order, timeZone: string | null): EmailWithdrawal | null {
  const lastDay = lastWithdrawalDay(order, timeZone)
  const isLost = order.withdrawal?.kind === 'digital_content' && order.withdrawal.beginsAtOnce
  const url = isLost ? null : pageUrl(withdrawalPath(order.id))
  return order.withdrawal && lastDay !== null ? { ...order.withdrawal, lastDay, url } : null
}
