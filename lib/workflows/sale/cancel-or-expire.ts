import { checkoutResource } from '../../modules/checkouts/resource.ts'
import { checkoutStates } from '../../modules/checkouts/rules/index.ts'
import * as store from '../../modules/checkouts/store.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { settledOrder } from '../../modules/orders/resource.ts'
import { orderStates } from '../../modules/orders/rules/order.ts'
import { orderOfCheckout, saveOrder } from '../../modules/orders/store.ts'
import * as payments from '../../modules/payments/store.ts'
import { countryOnly } from '../../modules/personal-data/rules/erasure.ts'
import { eraseUnsold } from '../../modules/personal-data/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { type RequestContext, withoutCompletion } from '../../platform/jobs/transact.ts'
import { applyPaymentUpdate } from '../collection/apply-payment-update.ts'
import { cancelAtProvider } from '../collection/cancel-at-provider.ts'
import { cancelPending } from '../collection/pending-on-page.ts'
import { salePayment } from './apply-sale-update.ts'
import { abandonCheckout } from './complete-sale.ts'

/** An expired checkout with a pending payment is checked again after this time, in milliseconds. Direct debits in test mode settle within this time. */
const settlementMs = 15 * 60_000

/** Cancels the checkout, unless its payment is paid or pending. Cancels an open payment at the provider first. */
export async function cancelCheckout(tenant: Tenant, checkoutId: string): Promise<void> {
  for (;;) {
    await cancelOpenPayment(tenant, checkoutId)
    if ((await transact(withoutCompletion(tenant), (tx) => end(tx, checkoutId, 'cancel'))) !== 'at provider') return
  }
}

export async function expire(tenant: TaskContext, checkoutId: string): Promise<void> {
  await cancelOpenPayment(tenant, checkoutId)
  await transact(tenant, async (tx) => {
    const outcome = await end(tx, checkoutId, 'expire')
    if (outcome === 'at provider') return new Reschedule(tx.now)
    return outcome === 'on its way' ? new Reschedule(await nextCheck(tx, checkoutId)) : undefined
  })
}

/** The time of the next check. For a bank transfer, this time is at least the settlement deadline (`settlesBefore`). */
async function nextCheck({ sql, now }: Transaction, checkoutId: string): Promise<Date> {
  const order = await orderOfCheckout(sql, checkoutId)
  const payment = order && (await payments.lastPayment(sql, order.id))
  const settlesBefore = payment?.transfer ? (payment.settlesBefore?.getTime() ?? 0) : 0
  return new Date(Math.max(now.getTime() + settlementMs, settlesBefore))
}

export async function cancelOpenPayment(tenant: RequestContext, checkoutId: string): Promise<void> {
  const order = await orderOfCheckout(db(), checkoutId)
  const update = await cancelAtProvider(
    withoutCompletion(tenant),
    order && (await payments.lastPayment(db(), order.id)),
  )
  if (!update) return
  await transact(withoutCompletion(tenant), async (tx) => {
    await applyPaymentUpdate(tx, update, { sale: salePayment })
  })
}

/** Closes the checkout. If it has no customer, only the buyer's country stays stored, because an erasure finds personal data only through a customer. */
async function end(
  tx: Transaction,
  checkoutId: string,
  asked: 'cancel' | 'expire',
): Promise<'closed' | 'at provider' | 'on its way'> {
  const { sql, emit, ...tenant } = tx
  const checkout = await store.lockCheckout(sql, tenant, checkoutId)
  if (!checkout || checkoutStates.isFinal(checkout.status)) return 'closed'
  const how = tx.now >= checkout.expiresAt ? 'expire' : asked
  const order = await orderOfCheckout(sql, checkoutId)
  const payment = order && (await payments.lastPayment(sql, order.id))
  if (payment?.status === 'pending') return 'on its way'
  if (payment?.status === 'open') return 'at provider'
  if (payment?.status === 'created') await cancelPending(sql, payment, tx.now)
  const closed = { ...checkout, status: checkoutStates.on(checkout.status, how, 'checkout_closed'), draft: null }
  await store.saveCheckout(sql, closed)
  const isNobodys = !closed.customerId && !order?.customerId
  if (isNobodys) await eraseUnsold(sql, tenant, checkoutId)
  await abandonCheckout(tx, closed)
  await emit({
    name: how === 'cancel' ? 'checkout.canceled' : 'checkout.expired',
    object: checkoutResource(closed, null),
  })
  if (order) {
    const customerDetails = isNobodys ? countryOnly(order.customerDetails) : order.customerDetails
    const ended = { ...order, customerDetails, status: orderStates.on(order.status, how) }
    await saveOrder(sql, ended)
    if (how === 'cancel') await emit({ name: 'order.canceled', object: settledOrder(ended) })
  }
  return 'closed'
}
