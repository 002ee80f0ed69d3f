import { day } from '../../kernel/format.ts'
import { toWire } from '../../kernel/moment.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { enqueueEmails } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { notifyMembers } from '../../modules/operators/notify-members.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { withdrawalState } from '../../modules/orders/rules/withdrawal.ts'
import { findOrder, lockOrder } from '../../modules/orders/store.ts'
import { type DeclaredWithdrawal, findWithdrawal, insertWithdrawal } from '../../modules/orders/withdrawals.ts'
import { subscriptionsOfLines } from '../../modules/subscriptions/store.ts'
import { translator } from '../../platform/translate.ts'
import { recipientsOf } from '../customer-emails/recipients.ts'
import { cancelSubscription } from '../subscription-change/steps.ts'
import { type Withdrawn, withdrawnOf } from './withdrawn.ts'

/** What identifies a contract to its buyer: the invoice, or the order where nothing was due. */
export const contractNumber = ({ invoice, id }: Order): string => invoice?.number ?? id

/** The declaration in the buyer's language, after the model form of Directive 2011/83/EU (annex I, B). */
export async function statementOf(order: Order, { items }: Withdrawn, shop: string): Promise<string> {
  const t = await translator(order.locale)
  return t('withdrawal.statement', {
    ...{ shop, seller: order.seller.name, number: contractNumber(order) },
    date: day(toWire(order.paidAt ?? order.createdAt), order.locale),
    items: items
      .map(({ name, quantity }) => (quantity === 1 ? name : t('emails.times', { name, quantity })))
      .join(', '),
  })
}

/**
 * Records that a buyer withdraws from the contract of an order: ends its subscriptions, acknowledges the receipt to the
 * buyer, and notifies the merchant, who decides what is refunded. Returns whether it is declared now, by this call or by
 * an earlier one. Locks in the usual order: subscriptions, order.
 */
export async function declareWithdrawal(
  tx: Transaction,
  orderId: string,
  declared: Pick<DeclaredWithdrawal, 'name' | 'email' | 'source'>,
): Promise<boolean> {
  const { sql, now } = tx
  const known = await findOrder(sql, tx, orderId)
  const stateOf = async (order: Order) =>
    withdrawalState(order, { declaredAt: (await findWithdrawal(sql, orderId))?.declaredAt ?? null, now })
  const first = known && (await stateOf(known))
  const withdrawn = known && (await withdrawnOf(known, tx, sql))
  if (!withdrawn || first !== 'open') return first === 'declared'
  const ended = await endSubscriptions(tx, withdrawn)
  const order = await lockOrder(sql, tx, orderId)
  if (!order || (await stateOf(order)) !== 'open') return true
  const recipient = (await recipientsOf(tx, [order]))(order)
  const { storefrontName: shop } = recipient.common
  const statement = await statementOf(order, withdrawn, shop)
  await insertWithdrawal(sql, tx, { ...declared, orderId, statement, declaredAt: now })
  const { portalUrl: _, ...common } = recipient.common
  const facts = { statement, name: declared.name, email: declared.email, number: contractNumber(order) }
  const to = [...new Set([declared.email, recipient.to])]
  await enqueueEmails(
    tx,
    to.map((address) => ({
      to: address,
      locale: order.locale,
      mail: {
        ...{ ...common, ...facts, kind: 'withdrawal_received' as const, declaredAt: toWire(now) },
        endedSubscriptions: ended,
      },
    })),
  )
  const news = { kind: 'withdrawal_declared' as const, number: contractNumber(order), endedSubscriptions: ended }
  await notifyMembers(tx, news, `/orders/${orderId}#withdrawal`)
  return true
}

/** Ends the subscriptions at once. One that has ended before stays as it is. Returns the names of those that end. */
async function endSubscriptions(tx: Transaction, { checkoutLineIds }: Withdrawn): Promise<string[]> {
  const subscriptions = [...(await subscriptionsOfLines(tx.sql, [...checkoutLineIds])).values()]
  const ended: string[] = []
  for (const { id, name } of subscriptions.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    try {
      await cancelSubscription(tx, id, { immediately: true, reason: 'customer_request' })
      ended.push(name)
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'subscription_not_cancelable')) throw error
    }
  }
  return ended
}
