import { addDuration } from '../../kernel/calendar.ts'
import { formatMoney, type Money, parseMoney } from '../../kernel/money.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { audited } from '../../modules/audit/audited.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import { chargebackResource } from '../../modules/chargebacks/resource.ts'
import {
  type Chargeback,
  type ChargebackStatus,
  chargebackStates,
  settlementAmount,
} from '../../modules/chargebacks/rules/index.ts'
import * as store from '../../modules/chargebacks/store.ts'
import { transact } from '../../modules/events/transact.ts'
import { findOrder, findOrderAnywhere } from '../../modules/orders/store.ts'
import { returnCodes } from '../../modules/payments/rules/returned-debit.ts'
import { paymentThatPaid } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { listEnvelope, type PageQuery } from '../../platform/http/paging.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { testControlsFor } from '../../providers/index.ts'
import { providerOfRef, providerThatWasPaid } from '../collection/provider-of.ts'
import { applyProviderUpdate, decide } from './apply-provider-update.ts'

/** If `orderId` is set, the chargeback must belong to this order. Refuses with `not_found`. */
export async function get(tenant: Tenant, id: string, orderId?: string) {
  const chargeback = await store.findChargeback(db(), tenant, id, orderId)
  if (!chargeback) throw new Refusal('not_found')
  return chargebackResource(chargeback)
}

export async function list(tenant: Tenant, query: PageQuery & store.ChargebackFilters, url: URL, orderId?: string) {
  if (orderId !== undefined && !(await findOrder(db(), tenant, orderId))) throw new Refusal('not_found')
  const { customerId, status } = query
  const page = await store.pageOfChargebacks(db(), tenant, query, { orderId, customerId, status })
  return listEnvelope(page, query, url, chargebackResource)
}

/**
 * Fetches a chargeback and applies it. Retries later if a refund is at the bank, if our books do not show the payment
 * as paid yet, or if the provider asks for another fetch (`askAgain`).
 */
export async function runSync(
  tenant: TaskContext,
  { ref, paymentRef }: { ref: string; paymentRef: string },
): Promise<void> {
  const provider = await providerOfRef(tenant, paymentRef)
  const update = await provider.fetchChargeback(tenant, ref)
  failpoint('chargeback.after_provider')
  await transact(tenant, async (tx) => {
    const { waits } = await applyProviderUpdate(tx, update)
    if (waits) return new Reschedule(addDuration(tx.now, { minutes: 1 }) ?? tx.now)
    const again = update.status === 'pending' && update.askAgain && addDuration(tx.now, update.askAgain)
    return again ? new Reschedule(again) : undefined
  })
}

/** Fetches and applies a chargeback for the command line. Refuses with `already_in_flight` if the update must wait. A task then retries the update. */
export async function syncNow(tenant: Tenant, { orderId, ref }: Pick<Chargeback, 'orderId' | 'ref'>) {
  const update = await (await providerThatWasPaid(orderId)).fetchChargeback(tenant, ref)
  const applied = await transact(tenant, (tx) => applyProviderUpdate(tx, update))
  if (applied.waits || !applied.chargeback) throw new Refusal('already_in_flight')
  return summary(applied.chargeback)
}

/** Sends an operator's decision to the provider. The provider then shows a rejected dispute as won. */
export async function submitDecision(
  tenant: TaskContext,
  { ref, to }: { ref: string; to: 'accepted' | 'rejected' },
): Promise<void> {
  const chargeback = await store.chargebackByRef(db(), tenant, ref)
  if (!chargeback) throw new Error(`a decision on the unknown chargeback ${ref}`)
  await (await providerThatWasPaid(chargeback.orderId)).answerChargeback(tenant, ref, to)
  await transact(tenant, async () => undefined)
}

/**
 * Makes the bank dispute a payment in test mode. `amount` includes tax, and defaults to the whole order. Refuses with `validation_failed` if a value is
 * invalid, or if the bank cannot dispute the order.
 */
export async function raise(orderId: string, given: { amount?: string | undefined; reason: string }) {
  const found = await findOrderAnywhere(db(), orderId)
  if (!found) throw invalid('order', 'There is no order with this id.')
  const { order, tenant } = found
  if (!tenant.testmode) throw invalid('order', 'Is in live mode, where the bank decides.')
  if (order.creditedOrderId !== null) throw invalid('order', 'The order is a credit note.')
  const payment = await paymentThatPaid(db(), orderId)
  if (!payment || payment.amount.minor === 0n) throw invalid('order', 'The order has no payment.')
  const controls = testControlsFor(payment)
  if (!controls || payment.ref === null)
    throw invalid('order', 'The payment of the order was simulated, so a bank cannot dispute it.')
  const amount: Money | null =
    given.amount === undefined
      ? { minor: order.total, currency: order.currency }
      : parseMoney(given.amount, order.currency)
  if (!amount || amount.minor <= 0n || amount.minor > most)
    throw invalid('amount', 'Must be a decimal amount with exactly two decimals, from 0.01 to 99999999.99.')
  if (!/^\S.{0,254}$/.test(given.reason)) throw invalid('reason', 'Must have 1 to 255 characters.')
  if (returnCodes.includes(given.reason))
    throw invalid(
      'reason',
      'Is a code of returned direct debits. Use `mandate return` to make the bank return direct debits.',
    )
  const ref = await controls.raiseChargeback(tenant, payment.ref, { amount, reason: given.reason })
  return syncNow(tenant, { orderId, ref })
}

const most = 9_999_999_999n

/**
 * In test mode, makes the bank decide a dispute. In both modes, records the decision of an amount review. `call` is the
 * request that decides the review (by default, the command line). Refuses with `validation_failed` if the chargeback is
 * unknown, if it cannot change to the status `to`, or if only the bank can decide it (live mode). Refuses with
 * `already_in_flight` if the change must wait, for example for a refund at the bank.
 */
export async function move(id: string, to: ChargebackStatus, call?: RequestContext) {
  const tenant = await store.tenantOfChargeback(db(), id)
  const chargeback = tenant && (await store.findChargeback(db(), tenant, id))
  if (!tenant || !chargeback) throw invalid('chargeback', 'There is no chargeback with this id.')
  const { status, ref } = chargeback
  const refused = invalid('to', `A chargeback that is ${status} cannot become ${to}.`)
  if (!chargebackStates.transitions().some((each) => each.from === status && each.to === to)) throw refused
  if (status === 'requires_amount_review') {
    const context = call ?? audited(tenant, commandLine(), { action: `chargeback.${to}`, subject: id })
    const decided = await transact(context, async (tx) => {
      const decided = await decide(tx, id, to === 'accepted' ? to : 'rejected')
      if (!decided) throw (await isHeld(tx.sql, tenant, id)) ? new Refusal('already_in_flight') : refused
      return decided
    })
    return summary(decided)
  }
  if (!tenant.testmode) throw invalid('chargeback', 'Is in live mode, where the bank decides.')
  if (to === 'requires_amount_review' || to === 'rejected') throw refused
  const payment = await paymentThatPaid(db(), chargeback.orderId)
  await (payment && testControlsFor(payment))?.moveChargeback(tenant, ref, to)
  return syncNow(tenant, chargeback)
}

const isHeld = async (sql: Sql, tenant: Tenant, id: string): Promise<boolean> =>
  (await store.findChargeback(sql, tenant, id))?.status === 'requires_amount_review'

const summary = (chargeback: Chargeback) => {
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
