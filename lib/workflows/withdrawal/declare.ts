import { day } from '../../kernel/format.ts'
import { toWire } from '../../kernel/moment.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { enqueueEmails } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { notifyMembers } from '../../modules/operators/notify-members.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { chosenLines, withdrawalState } from '../../modules/orders/rules/withdrawal.ts'
import { findOrder, lockOrder } from '../../modules/orders/store.ts'
import { type DeclaredWithdrawal, insertWithdrawal } from '../../modules/orders/withdrawals.ts'
import { subscriptionsOfLines } from '../../modules/subscriptions/store.ts'
import { translator } from '../../platform/translate.ts'
import { recipientsOf } from '../customer-emails/recipients.ts'
import { cancelSubscription } from '../subscription-change/steps.ts'
import { progressOf, type Withdrawable, type WithdrawableLine, withdrawableOf } from './withdrawable.ts'

/** What identifies a contract to its buyer: the invoice, or the order where nothing was due. */
export const contractNumber = ({ invoice, id }: Order): string => invoice?.number ?? id

/**
 * The declaration in the buyer's language, after the model form of Directive 2011/83/EU (annex I, B). It says so if it is
 * about a part of the contract only.
 */
export async function statementOf(
  order: Order,
  chosen: readonly WithdrawableLine[],
  { lines, isAll }: Withdrawable,
  shop: string,
): Promise<string> {
  const t = await translator(order.locale)
  const isWhole = isAll && chosen.length === lines.length
  return t(isWhole ? 'withdrawal.statement' : 'withdrawal.statementOfPart', {
    ...{ shop, seller: order.seller.name, number: contractNumber(order) },
    date: day(toWire(order.paidAt ?? order.createdAt), order.locale),
    items: chosen
      .map(({ name, quantity }) => (quantity === 1 ? name : t('emails.times', { name, quantity })))
      .join(', '),
  })
}

/**
 * Records that a buyer withdraws from lines of the contract of an order, named by their positions (`chosenLines`): ends
 * their subscriptions, acknowledges the receipt to the buyer, and notifies the merchant, who decides what is refunded.
 * Lines that were withdrawn from before stay as they are, and a declaration about these alone changes nothing. Locks in
 * the usual order: subscriptions, order.
 */
export async function declareWithdrawal(
  tx: Transaction,
  orderId: string,
  declared: Pick<DeclaredWithdrawal, 'name' | 'email' | 'source'> & { readonly positions: readonly number[] },
): Promise<void> {
  const { sql, now } = tx
  /** What the declaration is about now; null if it is about nothing. */
  const concerned = async (order: Order | null) => {
    const withdrawable = order && (await withdrawableOf(order, tx, sql))
    if (!withdrawable || withdrawalState(order, { ...progressOf(withdrawable), now }) !== 'open') return null
    const chosen = chosenLines(withdrawable.lines, declared.positions)
    return chosen.length === 0 ? null : { order, withdrawable, chosen }
  }
  const first = await concerned(await findOrder(sql, tx, orderId))
  if (!first) return
  const ended = await endSubscriptions(tx, first.chosen)
  const locked = await concerned(await lockOrder(sql, tx, orderId))
  if (locked) await record(tx, locked, declared, ended)
}

interface Concerned {
  readonly order: Order
  readonly withdrawable: Withdrawable
  readonly chosen: readonly WithdrawableLine[]
}

async function record(
  tx: Transaction,
  { order, withdrawable, chosen }: Concerned,
  declared: Pick<DeclaredWithdrawal, 'name' | 'email' | 'source'>,
  endedSubscriptions: string[],
): Promise<void> {
  const { sql, now } = tx
  const { name, email, source } = declared
  const recipient = (await recipientsOf(tx, [order]))(order)
  const statement = await statementOf(order, chosen, withdrawable, recipient.common.storefrontName)
  const checkoutLineIds = chosen.map(({ checkoutLineId }) => checkoutLineId)
  await insertWithdrawal(sql, tx, {
    ...{ orderId: order.id, checkoutLineIds, name, email, source },
    ...{ statement, declaredAt: now },
  })
  const number = contractNumber(order)
  const { portalUrl: _, ...common } = recipient.common
  const facts = { statement, name, email, number, declaredAt: toWire(now), endedSubscriptions }
  const to = [...new Set([email, recipient.to])]
  await enqueueEmails(
    tx,
    to.map((address) => ({
      to: address,
      locale: order.locale,
      mail: { ...common, ...facts, kind: 'withdrawal_received' as const },
    })),
  )
  const news = { kind: 'withdrawal_declared' as const, number, endedSubscriptions, items: chosen.map(nameAndQuantity) }
  await notifyMembers(tx, news, `/orders/${order.id}#withdrawal`)
}

const nameAndQuantity = ({ name, quantity }: WithdrawableLine) => ({ name, quantity })

/** Ends the subscriptions at once. One that has ended before stays as it is. Returns the names of those that end. */
async function endSubscriptions(tx: Transaction, lines: readonly WithdrawableLine[]): Promise<string[]> {
  const ids = lines.map(({ checkoutLineId }) => checkoutLineId)
  const subscriptions = [...(await subscriptionsOfLines(tx.sql, ids)).values()]
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
