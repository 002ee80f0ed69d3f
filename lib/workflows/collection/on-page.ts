import { type Transaction, transact } from '../../modules/events/transact.ts'
import { type Order, orderStates } from '../../modules/orders/rules/order.ts'
import { findOrder, saveOrder } from '../../modules/orders/store.ts'
import { applyProviderUpdate } from '../../modules/payments/apply-provider-update.ts'
import { FirstPaymentRefused } from '../../modules/payments/provider.ts'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import * as store from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { log } from '../../platform/log.ts'
import { providerFor, providerOf } from '../../providers/index.ts'
import { watchPayment } from './watch.ts'

/**
 * Payments that the buyer makes on the provider's page: a first payment, or the verification of a payment method over
 * 0.00. Each is created as `created`, opened at the provider outside any transaction, and then saved as `open`.
 */

/** What a request to the provider says about the buyer. */
type Buyer = Pick<Order, 'customerDetails' | 'locale'>
type Wanted = Pick<store.Payment, 'method' | 'amount' | 'purpose'> & Buyer

/**
 * What an attempt without an outcome means for the next one. An attempt of the same method and amount, made for the
 * same page, is continued; one without a page address for the same buyer only, since a provider takes the key of a request
 * with that request alone. Otherwise an attempt without a page address, which nobody can pay, is canceled here; one that
 * the buyer may be paying must be canceled at the provider first (`cancelAtProvider`). `before` is the order of the
 * attempt, as it was then. `wanted` is null when nothing is to be paid. Call it with the paid object (checkout or
 * subscription) locked.
 */
export async function continueOrReplace(
  { sql, now }: Transaction,
  { before, last }: { before: Buyer | null; last: store.Payment | null },
  wanted: Wanted | null,
): Promise<store.Payment | 'cancel first' | null> {
  if (last?.status !== 'open' && last?.status !== 'created') return null
  const isContinued = wanted && isSame(last, wanted) && (last.status === 'open' || isSameBuyer(before, wanted))
  if (isContinued) return last
  if (last.status === 'open') return 'cancel first'
  await cancelPending(sql, last, now)
  return null
}

const isSame = (payment: store.Payment, { method, amount, purpose }: Wanted): boolean =>
  payment.method === method &&
  payment.amount.minor === amount.minor &&
  payment.amount.currency === amount.currency &&
  payment.purpose.kind === purpose.kind &&
  payment.purpose.id === purpose.id

const isSameBuyer = (before: Buyer | null, { customerDetails, locale }: Buyer): boolean =>
  before?.customerDetails.fullName === customerDetails.fullName &&
  before.customerDetails.email === customerDetails.email &&
  before.locale === locale

/** Cancels a pending payment that the provider may not know of: if the provider does, `openOnPage` cancels it there. */
export async function cancelPending(sql: Transaction['sql'], payment: store.Payment, now: Date): Promise<void> {
  const status = paymentStates.on(payment.status, 'cancel', 'payment_finished')
  await store.savePayment(sql, { ...payment, status, finishedAt: now })
}

/** Creates a payment that the buyer is going to make on a page. */
export async function createPendingOnPage(
  { sql, now, newId, ...tenant }: Transaction,
  given: Pick<store.Payment, 'orderId' | 'purpose' | 'method' | 'amount' | 'makesMandate'>,
): Promise<store.Payment> {
  const payment: store.Payment = {
    ...store.unanswered,
    ...given,
    id: newId('payment_'),
    status: 'created',
    provider: (await providerOf(tenant, sql)).name,
    createdAt: now,
  }
  await store.insertPayment(sql, tenant, payment)
  return payment
}

/**
 * Opens a pending payment at its provider, outside any transaction, and saves its address. Repeated after a crash or a
 * second click, it finds the same payment there. `lock` locks what is paid. Null if the payment was canceled meanwhile;
 * it is then canceled at the provider too. Null also if the provider refuses it for good: then it has failed, as the page says.
 */
export async function openOnPage(
  tenant: Tenant,
  intent: store.Payment,
  returnUrl: string,
  lock: (tx: Transaction) => Promise<unknown>,
): Promise<string | null> {
  const provider = providerFor(intent)
  const { id: idempotencyKey, orderId, amount, method, makesMandate } = intent
  const order = await findOrder(db(), tenant, orderId)
  if (!order) throw new Error(`payment ${intent.id} has no order`)
  const { customerDetails, locale } = order
  const request = { idempotencyKey, orderId, amount, method, makesMandate, locale, returnUrl }
  const buyer = { name: customerDetails.fullName, email: customerDetails.email }
  const opened = await provider.createFirstPayment(tenant, { ...request, buyer }).catch((error) => {
    if (!(error instanceof FirstPaymentRefused)) throw error
    log.error({ paymentId: intent.id, error: error.message }, 'a provider refused a first payment')
    return null
  })
  if (!opened) {
    await failUnopened(tenant, intent, lock)
    return null
  }
  const isOpen = await transact(tenant, async (tx) => {
    await lock(tx)
    const { sql } = tx
    const payment = await store.lastPayment(sql, intent.orderId)
    if (payment?.id !== intent.id || paymentStates.isFinal(payment.status)) return false
    if (payment.status !== 'created') return true
    const status = paymentStates.on(payment.status, 'open', 'payment_finished')
    await store.savePayment(sql, { ...payment, ref: opened.ref, status })
    await watchPayment(tx, payment, opened.ref)
    const order = await findOrder(sql, tx, intent.orderId)
    if (order) await saveOrder(sql, { ...order, status: orderStates.on(order.status, 'await', 'illegal_move') })
    return true
  })
  if (isOpen) return opened.redirectUrl
  await provider.cancelPayment(tenant, opened.ref)
  return null
}

const refused = { ref: null, status: 'failed', failureReason: 'general_failure', settlesBefore: null } as const

async function failUnopened(
  tenant: Tenant,
  { id, orderId }: store.Payment,
  lock: (tx: Transaction) => Promise<unknown>,
) {
  await transact(tenant, async (tx) => {
    await lock(tx)
    const payment = await store.lastPayment(tx.sql, orderId)
    const failed = payment?.id === id && applyProviderUpdate(payment, refused, tx.now)
    if (failed) await store.savePayment(tx.sql, failed)
  })
}

/**
 * Cancels at the provider what the buyer left open there. Returns the provider's status after that, which may be paid.
 * Null if nothing was open. What the provider cannot cancel is given up here: if the buyer pays it all the same, the
 * money goes back (`return-money.ts`).
 */
export async function cancelAtProvider(tenant: Tenant, payment: store.Payment | null): Promise<ProviderPayment | null> {
  if (payment?.status !== 'open' || payment.ref === null) return null
  const answer = await providerFor(payment).cancelPayment(tenant, payment.ref)
  return answer.status === 'open' ? { ...answer, status: 'canceled' } : answer
}
