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

/** A payment starts as `created` (`pending-on-page.ts`), is opened at the provider outside any transaction, and is then saved as `open`. */

/**
 * Opens a payment at the provider, and returns the address of the provider's page. Call it outside any transaction. A
 * repeated call finds the same payment. `lock` locks the checkout or the subscription of the payment. If the payment
 * was canceled in the meantime, cancels the payment at the provider and returns null. If the provider refuses the
 * payment permanently, sets the payment to failed and returns null.
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
