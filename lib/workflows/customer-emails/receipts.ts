import { sellingOf } from '../../modules/accounts/store.ts'
import { enqueueEmails, type NewEmail } from '../../modules/emails/enqueue.ts'
import type { EmailContent, EmailWithdrawal } from '../../modules/emails/rules/email.ts'
import { emailsOfDocuments } from '../../modules/emails/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { lastWithdrawalDay } from '../../modules/orders/rules/withdrawal.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import { mayHoldBack } from '../../modules/recovery/rules/index.ts'
import { holdingRecoveries } from '../../modules/recovery/store.ts'
import { type ChargesAfterDebt, chargesAfterDebt } from '../../modules/subscriptions/next-charge.ts'
import { nextRenewalAt, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { config } from '../../platform/config.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { summaryOf } from './document.ts'
import { agreedSubscription, type Recipient, recipientsOf } from './recipients.ts'

export interface Paid {
  readonly order: Order
  readonly subscriptions: readonly Subscription[]
  readonly isRecovered?: boolean
  readonly own?: Transaction
}

/** Reads the recipients before the orders are paid. The returned function emails the receipts in the transaction that pays the orders. */
export async function receiptsOf(
  tx: Transaction,
  orders: readonly Order[],
): Promise<(paid: readonly Paid[]) => Promise<void>> {
  const invoiced = orders.filter(({ invoice }) => invoice !== null).map(({ id }) => id)
  const [recipientOf, firstEmails] = await Promise.all([recipientsOf(tx, orders), emailsOfDocuments(tx.sql, invoiced)])
  return async (paid) => {
    const emailed = paid.filter(
      ({ order, subscriptions }) => order.invoice !== null || (order.checkoutId !== null && subscriptions.length > 0),
    )
    if (emailed.length === 0) return
    const released = await releasedBy(tx, emailed)
    await enqueueEmails(
      tx,
      emailed.map((each) => ({
        ...receiptOf(tx, each, recipientOf(each.order), released),
        // If the bank returned an earlier payment of the order, an earlier email already contains the invoice. This
        // email then refers to the earlier email.
        originalId: firstEmails.get(each.order.id) ?? null,
      })),
    )
  }
}

/**
 * Returns the charges that follow the payment of an overdue order. Returns null if the subscription was not overdue. Also returns null if other payments are
 * still overdue and none of them delays the next charge.
 */
type Released = (subscription: Subscription, now: Date) => ChargesAfterDebt | null

async function releasedBy(tx: Transaction, paid: readonly Paid[]): Promise<Released> {
  const recovered = paid.filter(({ isRecovered }) => isRecovered).flatMap(({ subscriptions }) => subscriptions)
  const ids = recovered.map(({ id }) => id)
  if (ids.length === 0) return () => null
  const [{ isSuspended }, ...holding] = await Promise.all([
    sellingOf(tx.sql, tx),
    ...ids.map((id) => holdingRecoveries(tx.sql, id)),
  ])
  return (subscription, now) => {
    const others = holding[ids.indexOf(subscription.id)]
    if (!others) return null
    const due = nextRenewalAt(subscription)
    if (others.length === 0) return chargesAfterDebt(subscription, { now, isSuspended })
    // If another overdue payment still delays the next charge, the result contains no charge, because the receipt of
    // that payment announces the charge.
    return due && others.some((each) => mayHoldBack(each, due)) ? { waiting: null, nextCharge: null } : null
  }
}

function receiptOf(
  tx: Transaction,
  { order, subscriptions, isRecovered = false, own = tx }: Paid,
  recipient: Recipient,
  released: Released,
): NewEmail {
  const { to, locale, common, portalUrl, termsUrl } = recipient
  const after = subscriptions.map((each) => released(each, own.now))
  const agreed = subscriptions.map((each, index) => {
    const coming = after[index]
    const isOther = coming && (coming.waiting !== null || coming.nextCharge === null)
    return { ...agreedSubscription(each, own), ...(isOther && { nextCharge: coming.nextCharge }) }
  })
  const waiting = after.find((each) => each?.waiting)?.waiting
  const withdrawal = withdrawalOf(order, common.timeZone ?? null)
  const facts = { ...common, portalUrl, subscriptions: agreed, termsUrl, withdrawal }
  if (order.invoice === null) return { to, locale, content: { ...facts, kind: 'subscription_confirmation' }, own }
  const { statementName } = config().seller
  const of = order.checkoutId === null ? 'subscription' : 'purchase'
  const kind = isRecovered ? 'payment_recovered' : 'receipt'
  const content: EmailContent = {
    ...facts,
    kind,
    of,
    statementName,
    document: summaryOf(order),
    ...(waiting && { waiting }),
  }
  return { to, locale, content, orderId: order.id, own }
}

function withdrawalOf(order: Order, timeZone: string | null): EmailWithdrawal | null {
  const lastDay = lastWithdrawalDay(order, timeZone)
  const isLost = order.withdrawal?.kind === 'digital_content' && order.withdrawal.beginsAtOnce
  const url = isLost ? null : pageUrl(withdrawalPath(order.id))
  return order.withdrawal && lastDay !== null ? { ...order.withdrawal, lastDay, url } : null
}
