import { addDuration } from '../kernel/calendar.ts'
import { formatMoney, type Money, parseMoney } from '../kernel/money.ts'
import { invalid, Refusal } from '../kernel/refusal.ts'
import { findOrder, findOrderAnywhere } from '../orders/store.ts'
import { providerOf } from '../payments/provider-for.ts'
import { moveChargeback, raiseChargeback } from '../payments/sandbox/money-back.ts'
import { paymentThatPaid } from '../payments/store.ts'
import type { Scope } from '../platform/clock.ts'
import { db } from '../platform/db.ts'
import { failpoint } from '../platform/failpoint.ts'
import { listEnvelope, type PageQuery } from '../platform/paging.ts'
import { Again, type TaskScope } from '../platform/tasks.ts'
import { transact } from '../platform/transact.ts'
import { decide, hear } from './hear.ts'
import { chargebackResource } from './resource.ts'
import { type Chargeback, type ChargebackStatus, chargebackStates, settlementAmount } from './rules/index.ts'
import * as store from './store.ts'

/** One chargeback, of one order when an order is named. Refuses `not_found`. */
export async function get(scope: Scope, id: string, orderId?: string) {
  const chargeback = await store.findChargeback(db(), scope, id, orderId)
  if (!chargeback) throw new Refusal('not_found')
  return chargebackResource(chargeback)
}

/** Refuses `not_found` when the order that is named does not exist. */
export async function list(scope: Scope, query: PageQuery, url: URL, orderId?: string) {
  if (orderId !== undefined && !(await findOrder(db(), scope, orderId))) throw new Refusal('not_found')
  return listEnvelope(await store.pageOfChargebacks(db(), scope, query, orderId), query, url, chargebackResource)
}

/** The task of a provider's news: acts on them, or again in a while where a refund is at the bank. */
export async function runNews(scope: TaskScope, { ref }: { ref: string }): Promise<void> {
  const news = await providerOf(scope).fetchChargeback(scope, ref)
  failpoint('chargeback.after_provider')
  await transact(scope, async (work) => {
    const { waits } = await hear(work, news)
    return waits ? new Again(addDuration(work.now, { minutes: 1 }) ?? work.now) : undefined
  })
}

/** The same at once, for the command line. Refuses `already_in_flight` where it has to wait; the task goes on with it. */
export async function hearNow(scope: Scope, ref: string) {
  const news = await providerOf(scope).fetchChargeback(scope, ref)
  const { chargeback, waits } = await transact(scope, (work) => hear(work, news))
  if (waits) throw new Refusal('already_in_flight')
  return told(chargeback)
}

/** The task of an operator's decision: a dispute that was rejected is over for the provider too, in our favour. */
export async function tellProvider(
  scope: TaskScope,
  { ref, to }: { ref: string; to: 'accepted' | 'rejected' },
): Promise<void> {
  await providerOf(scope).answerChargeback(scope, ref, to)
  await transact(scope, async () => undefined)
}

/**
 * For test mode: the bank of the buyer disputes the payment of an order, all of it unless an amount with tax is named. Refuses
 * `validation_failed` on an order that is unknown, not paid, or whose payment no provider knows, and on an amount or a reason that is none.
 */
export async function raise(orderId: string, given: { amount?: string | undefined; reason: string }) {
  const found = await findOrderAnywhere(db(), orderId)
  if (!found) throw invalid('order', 'There is no order with this id.')
  const { order, scope } = found
  if (!scope.testmode) throw invalid('order', 'It is in live mode, where the bank decides.')
  if (order.creditedOrderId !== null) throw invalid('order', 'It is a credit note.')
  const payment = await paymentThatPaid(db(), orderId)
  if (!payment || payment.amount.minor === 0n) throw invalid('order', 'Nothing was paid for it.')
  if (payment.provider === 'simulated' || payment.ref === null)
    throw invalid('order', 'Its payment was simulated: no bank can dispute it.')
  const amount: Money | null =
    given.amount === undefined
      ? { minor: order.total, currency: order.currency }
      : parseMoney(given.amount, order.currency)
  if (!amount || amount.minor <= 0n || amount.minor > most)
    throw invalid('amount', 'Must be a decimal amount with exactly two decimals, from 0.01 to 99999999.99.')
  if (!/^\S.{0,254}$/.test(given.reason)) throw invalid('reason', 'Must have 1 to 255 characters.')
  const ref = await raiseChargeback(scope, payment.ref, { amount, reason: given.reason })
  return hearNow(scope, ref)
}

const most = 9_999_999_999n

/**
 * For test mode: a dispute goes on, as the provider decides or, where more was disputed than was sold, as an operator does. Refuses
 * `validation_failed` on an unknown one, and on a status that it cannot come to.
 */
export async function move(id: string, to: ChargebackStatus) {
  const scope = await store.scopeOfChargeback(db(), id)
  const chargeback = scope && (await store.findChargeback(db(), scope, id))
  if (!scope || !chargeback) throw invalid('chargeback', 'There is no chargeback with this id.')
  const { status, ref } = chargeback
  const refused = invalid('to', `A chargeback that is ${status} cannot become ${to}.`)
  if (!chargebackStates.transitions().some((each) => each.from === status && each.to === to)) throw refused
  if (status === 'requires_amount_review') {
    const decided = await transact(scope, (work) => decide(work, id, to === 'accepted' ? to : 'rejected'))
    if (!decided) throw (await isHeld(scope, id)) ? new Refusal('already_in_flight') : refused
    return told(decided)
  }
  if (!scope.testmode) throw invalid('chargeback', 'It is in live mode, where the bank decides.')
  if (to === 'requires_amount_review' || to === 'rejected') throw refused
  await moveChargeback(scope, ref, to)
  return hearNow(scope, ref)
}

const isHeld = async (scope: Scope, id: string): Promise<boolean> =>
  (await store.findChargeback(db(), scope, id))?.status === 'requires_amount_review'

const told = (chargeback: Chargeback) => {
  const { id, orderId, status, amount, subtotal, total, currency, creditNoteId } = chargeback
  const money = (minor: bigint) => formatMoney({ minor, currency })
  return {
    chargebackId: id,
    orderId,
    status,
    currency,
    amount: money(amount),
    settlementAmount: money(settlementAmount(chargeback)),
    total: money(total),
    subtotal: money(subtotal),
    creditNoteId,
  }
}
