import { type Transaction, transact } from '../../modules/events/transact.ts'
import { orderStates } from '../../modules/orders/rules/order.ts'
import { findOrder, saveOrder } from '../../modules/orders/store.ts'
import { applyProviderUpdate } from '../../modules/payments/apply-provider-update.ts'
import { FirstPaymentRefused } from '../../modules/payments/provider.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import * as store from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { log } from '../../platform/log.ts'
import { providerFor } from '../../providers/index.ts'
import { watchPayment } from './watch.ts'

/**
 * A first payment, or the verification of a payment method over 0.00. A payment is `created` (`pending-on-page.ts`),
 * opened at the provider outside any transaction, and then saved as `open`.
 */

/**
 * Call it outside any transaction. A call repeated after a crash or a second click finds the same payment. `lock` locks
 * the paid object. Null if the payment was canceled meanwhile, and then also at the provider. Null if the provider
 * refuses the payment permanently: it has failed, and the page says so.
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
    if (order) await saveOrder(sql, { ...order, status: orderStates.on(order.status, 'await') })
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
