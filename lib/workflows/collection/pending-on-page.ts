import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import * as store from '../../modules/payments/store.ts'
import { providerOf } from '../../providers/index.ts'

type Buyer = Pick<Order, 'customerDetails' | 'locale'>
type Wanted = Pick<store.Payment, 'method' | 'amount' | 'purpose'> & Buyer

/**
 * Returns the undecided attempt (`last`) if the buyer can continue it: the method, amount, and purpose are the same. For
 * an attempt without a page address (`created`), the buyer must be the same too, because a provider accepts an
 * idempotency key only with the same request. Otherwise the attempt must be replaced:
 * - A `created` attempt is canceled here. Returns null.
 * - An `open` attempt may be paid by the buyer at this moment. Returns `cancel first`, so that the caller cancels it at
 *   the provider (`cancelAtProvider`).
 *
 * `before` is the order at the time of the attempt. `wanted` is null if nothing is to be paid. The caller holds the lock
 * of the checkout or subscription.
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

/** Cancels the payment in our books only. If a call has already created the payment at the provider, `openOnPage` cancels the payment there. */
export async function cancelPending(sql: Transaction['sql'], payment: store.Payment, now: Date): Promise<void> {
  const status = paymentStates.on(payment.status, 'cancel', 'payment_finished')
  await store.savePayment(sql, { ...payment, status, finishedAt: now })
}

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
