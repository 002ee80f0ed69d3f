import { day } from '../../kernel/format.ts'
import { toWire } from '../../kernel/moment.ts'
import type { Amount } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { lockCheckout } from '../../modules/checkouts/store.ts'
import { emailsOf } from '../../modules/customers/store.ts'
import { enqueueEmails } from '../../modules/emails/enqueue.ts'
import { itemText } from '../../modules/emails/item-text.ts'
import type { WithdrawalReceivedEmail } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { notifyMembers } from '../../modules/operators/notify-members.ts'
import { isOwedSale, type Order, paidAtOf } from '../../modules/orders/rules/order.ts'
import { chosenLines, isPossible, type NamedLine, withdrawalState } from '../../modules/orders/rules/withdrawal.ts'
import { findOrder, lockOrder, paidOrdersOf, unpaidOrders } from '../../modules/orders/store.ts'
import { type DeclaredWithdrawal, insertWithdrawal } from '../../modules/orders/withdrawals.ts'
import { lockOrRefuse } from '../../modules/subscriptions/lock.ts'
import { subscriptionsOfLines } from '../../modules/subscriptions/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { translator } from '../../platform/translate.ts'
import { totalOf } from '../billing-update/outstanding.ts'
import { recipientsOf } from '../customer-emails/recipients.ts'
import { ordersThatStand } from '../recovery/attempts.ts'
import { stopCollecting } from '../recovery/write-off.ts'
import { cancelSubscription, withdrawUnits } from '../subscription-change/steps.ts'
import { type ChosenLine, itemOf, progressOf, type Withdrawable, withdrawableOf } from './withdrawable.ts'

/** Returns the invoice number, or the order id if nothing was due. */
export const contractNumber = ({ invoice, id }: Order): string => invoice?.number ?? id

/** The statement is based on the model form of Directive 2011/83/EU (annex I, B). It says whether the buyer withdraws from only a part of the order. */
export async function statementOf(
  order: Order,
  chosen: readonly ChosenLine[],
  { lines, isAll, timeZone }: Withdrawable,
  shop: string,
): Promise<string> {
  const t = await translator(order.locale)
  const isWhole = isAll && chosen.length === lines.length && chosen.every((line) => line.chosen === line.quantity)
  return t(isWhole ? 'withdrawal.statement' : 'withdrawal.statementOfPart', {
    shop,
    seller: order.seller.name,
    number: contractNumber(order),
    date: day(toWire(paidAtOf(order)), order.locale, timeZone),
    items: chosen.map((line) => itemText(t, order.locale, itemOf(line))).join(', '),
  })
}

/**
 * Records a buyer's withdrawal from lines or units of an order. `declared.named` names the lines by position. Ends the
 * subscriptions of the lines, or reduces their quantity. Acknowledges the receipt to the buyer, and notifies the
 * merchant, who decides about the refund. Lines that were withdrawn earlier do not change. Like every transaction,
 * locks the checkout first, then the subscriptions, and then the order.
 */
export async function declareWithdrawal(
  tx: Transaction,
  orderId: string,
  declared: Pick<DeclaredWithdrawal, 'name' | 'source'> & { readonly named: readonly NamedLine[] },
): Promise<void> {
  const { sql, now } = tx
  const concerned = async (order: Order | null) => {
    const withdrawable = order && (await withdrawableOf(order, tx, sql))
    if (!withdrawable || withdrawalState(order, { ...progressOf(withdrawable), now }) !== 'open') return null
    const chosen = chosenLines(withdrawable.lines, declared.named).filter(isPossible)
    return chosen.length === 0 ? null : { order, withdrawable, chosen }
  }
  const first = await concerned(await findOrder(sql, tx, orderId))
  if (!first) return
  if (first.order.checkoutId) await lockCheckout(sql, tx, first.order.checkoutId)
  const subscriptions = await lockSubscriptions(tx, first.chosen)
  const locked = await concerned(await lockOrder(sql, tx, orderId))
  if (!locked) return
  const effects = await changeSubscriptions(tx, subscriptions, locked)
  const arriving = await endCollection(tx, locked)
  await record(tx, locked, declared, arriving ? { ...effects, underway: totalOf([arriving]) } : effects)
}

/**
 * Stops the collection of an unpaid order if the withdrawal covers all its remaining units. Returns the order if a payment is still
 * pending, otherwise null. If this payment succeeds later, the members are asked to refund it.
 */
async function endCollection(tx: Transaction, { order, withdrawable, chosen }: Concerned): Promise<Order | null> {
  const chosenOf = ({ position }: Withdrawable['lines'][number]) =>
    chosen.find((line) => line.position === position)?.chosen ?? 0
  const isWhole = withdrawable.isAll && withdrawable.lines.every((line) => chosenOf(line) === line.left)
  if (!isWhole || !isOwedSale(order)) return null
  // The order may already be written off, because its last subscription has ended.
  const now = await findOrder(tx.sql, tx, order.id)
  return now && isOwedSale(now) && (await stopCollecting(tx, now)) ? now : null
}

/** Returns the buyer's known addresses. The form has no address field, so nobody can send emails to strangers (Directive 2011/83/EU, art. 11a(2)). */
export async function acknowledgedTo(
  sql: Sql,
  tenant: Tenant,
  { customerId, customerDetails }: Order,
): Promise<string[]> {
  const own = await emailsOf(sql, tenant, customerId === null ? [] : [customerId])
  const all = [customerDetails.email, ...own.values()]
  return [...new Set(all.filter((address) => address !== null))]
}

/** A free trial and an order with a returned debit count as unpaid. */
export const isPaidWith = (order: Order, lines: readonly ChosenLine[]): boolean =>
  order.status === 'paid' &&
  lines.some(({ orderLineId }) => order.lines.some(({ id, subtotal }) => id === orderLineId && subtotal > 0n))

interface Concerned {
  readonly order: Order
  readonly withdrawable: Withdrawable
  readonly chosen: readonly ChosenLine[]
}

async function record(
  tx: Transaction,
  { order, withdrawable, chosen }: Concerned,
  declared: Pick<DeclaredWithdrawal, 'name' | 'source'>,
  { later, underwayWithUnits, ...effects }: Effects,
): Promise<void> {
  const { sql, now } = tx
  const { name, source } = declared
  const to = await acknowledgedTo(sql, tx, order)
  const [email = ''] = to
  const recipient = (await recipientsOf(tx, [order]))(order)
  const statement = await statementOf(order, chosen, withdrawable, recipient.common.storefrontName)
  const lines = chosen.map(({ checkoutLineId, chosen: quantity }) => ({ checkoutLineId, quantity }))
  await insertWithdrawal(sql, tx, {
    orderId: order.id,
    lines,
    name,
    email,
    source,
    statement,
    declaredAt: now,
  })
  const number = contractNumber(order)
  const isPrepared = isPaidWith(order, chosen)
  const facts = {
    statement,
    name,
    email,
    number,
    declaredAt: toWire(now),
    ...effects,
    isPaid: isPrepared || later !== null,
    beginsAtOnce: order.withdrawal?.beginsAtOnce ?? false,
  }
  await enqueueEmails(
    tx,
    to.map((address) => ({
      to: address,
      locale: order.locale,
      content: { ...recipient.common, ...facts, kind: 'withdrawal_received' as const },
    })),
  )
  const items = chosen.map(itemOf)
  const notice = {
    kind: 'withdrawal_declared' as const,
    number,
    ...effects,
    items,
    isPrepared,
    later,
    underwayWithUnits,
  }
  await notifyMembers(tx, notice, `/orders/${order.id}#withdrawal`)
}

type Effects = Pick<WithdrawalReceivedEmail, 'endedSubscriptions' | 'reducedSubscriptions' | 'underway'> & {
  readonly later: Amount | null
  readonly underwayWithUnits: Amount | null
}

interface Begun {
  readonly id: string
  readonly name: string
  readonly checkoutLineId: string
}

/** Locks the subscriptions in the order of their ids. */
async function lockSubscriptions(tx: Transaction, lines: readonly ChosenLine[]): Promise<Begun[]> {
  const found = await subscriptionsOfLines(
    tx.sql,
    lines.map(({ checkoutLineId }) => checkoutLineId),
  )
  const begun = [...found].map(([checkoutLineId, { id, name }]) => ({ id, name, checkoutLineId }))
  begun.sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id } of begun) await lockOrRefuse(tx, id)
  return begun
}

async function changeSubscriptions(
  tx: Transaction,
  begun: readonly Begun[],
  { order, chosen: lines }: Concerned,
): Promise<Effects> {
  const ended: Begun[] = []
  const reduced: (Begun & { quantity: number })[] = []
  for (const each of begun) {
    const { id } = each
    const line = lines.find(({ checkoutLineId }) => checkoutLineId === each.checkoutLineId)
    if (!line) continue
    try {
      const quantity = await endOrReduce(tx, id, order, line)
      if (quantity === null) ended.push(each)
      else reduced.push({ ...each, quantity })
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'subscription_not_cancelable')) throw error
    }
  }
  const waitedFor = await Promise.all(ended.map(({ id }) => unpaidOrders(tx.sql, id)))
  const underway = await Promise.all(reduced.map(({ id }) => ordersThatStand(tx, id)))
  const paid = await paidOrdersOf(
    tx.sql,
    begun.map(({ id }) => id),
  )
  return {
    endedSubscriptions: ended.map(({ name }) => name),
    reducedSubscriptions: reduced.map(({ name, quantity }) => ({ name, quantity })),
    underway: totalOf(waitedFor.flat()),
    underwayWithUnits: totalOf(underway.flat()),
    later: totalOf(paid),
  }
}

async function endOrReduce(
  tx: Transaction,
  id: string,
  { id: orderId, lines }: Order,
  { chosen, left, orderLineId }: ChosenLine,
): Promise<number | null> {
  const line = lines.find((each) => each.id === orderLineId)
  if (chosen < left) return withdrawUnits(tx, id, chosen, line ? { orderId, line } : null)
  await cancelSubscription(tx, id, { immediately: true, reason: 'customer_request' })
  return null
}
