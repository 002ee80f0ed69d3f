import { checkoutResource } from '../../modules/checkouts/resource.ts'
import { checkoutStates } from '../../modules/checkouts/rules/index.ts'
import * as store from '../../modules/checkouts/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { orderOfCheckout } from '../../modules/orders/store.ts'
import { applyProviderUpdate } from '../../modules/payments/apply-provider-update.ts'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import * as payments from '../../modules/payments/store.ts'
import { savePaymentCountry } from '../../modules/tax/store.ts'
import type { PagePayment } from '../collection/apply-payment-update.ts'
import { isTooLate, returnLater } from '../collection/late-payment.ts'
import { askForTransfer } from '../customer-emails/transfer.ts'
import { lockPurchase, payPurchase, purchaseUnpaid } from '../recovery/purchase.ts'
import { completeSale, prepareSale } from './complete-sale.ts'
import { takeLateMandate } from './late-mandate.ts'

export const salePayment: PagePayment = { apply: applySaleUpdate, isIncomplete: takeLateMandate }

async function applySaleUpdate(tx: Transaction, known: payments.Payment, update: ProviderPayment): Promise<void> {
  const { sql, now, emit, ...tenant } = tx
  const checkout = await store.lockCheckout(sql, tenant, known.purpose.id)
  const order = checkout && (await orderOfCheckout(sql, checkout.id))
  // If the order has an invoice, the sale was completed earlier, and the bank returned its payment. The invoice stays valid.
  if (order && order.invoice !== null) return applyOwedUpdate(tx, known, update)
  const payment = await payments.findPayment(sql, tenant, known.id)
  if (!checkout || !payment || !order) throw new Error(`payment ${known.id} has no sale`)
  if (isTooLate(payment, update)) return returnLater(tx, payment)
  const applied = applyProviderUpdate(payment, update, now)
  if (!applied) return
  await payments.savePayment(sql, applied)
  if (!tx.testmode && applied.country) await savePaymentCountry(sql, order.id, applied.country)
  const { status } = applied
  if (status === 'pending') {
    const prepared = await prepareSale(tx, { checkout, order })
    if (applied.transfer) await askForTransfer(tx, applied, prepared)
  }
  const wasPending = payment.status === 'pending'
  if (status === 'paid')
    await completeSale(tx, { checkout, order, wasPending }, { method: applied.method, mandate: update.mandate })
  // A failed verification with 0.00 does not change the checkout, because nothing was due.
  if (status === 'failed' && payment.amount.minor > 0n) {
    const declined = { ...checkout, status: checkoutStates.on(checkout.status, 'decline', 'checkout_closed') }
    await store.saveCheckout(sql, declined)
    await emit({ name: 'checkout.failed', object: checkoutResource(declined, null) })
  }
}

/** Applies an update to the payment of a completed sale. Locks the purchase, because charges and refunds can change it at the same time. */
async function applyOwedUpdate(tx: Transaction, known: payments.Payment, update: ProviderPayment): Promise<void> {
  const { sql, now, ...tenant } = tx
  const purchase = await lockPurchase(tx, known.orderId)
  const payment = await payments.findPayment(sql, tenant, known.id)
  if (!purchase || !payment) throw new Error(`payment ${known.id} has no sale`)
  if (isTooLate(payment, update)) return returnLater(tx, payment)
  const applied = applyProviderUpdate(payment, update, now)
  if (!applied) return
  await payments.savePayment(sql, applied)
  if (!tx.testmode && applied.country) await savePaymentCountry(sql, known.orderId, applied.country)
  if (applied.status === 'paid') return payPurchase(tx, purchase, applied)
  if (paymentStates.isFinal(applied.status)) await purchaseUnpaid(tx, purchase, applied.failureReason)
}
