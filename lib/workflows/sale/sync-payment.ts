import { checkoutResource } from '../../modules/checkouts/resource.ts'
import { checkoutStates } from '../../modules/checkouts/rules/index.ts'
import * as store from '../../modules/checkouts/store.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { orderOfCheckout } from '../../modules/orders/store.ts'
import { applyProviderUpdate } from '../../modules/payments/apply-provider-update.ts'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import { nextLook } from '../../modules/payments/rules/polling.ts'
import * as payments from '../../modules/payments/store.ts'
import { savePaymentCountry } from '../../modules/tax/store.ts'
import { Reschedule } from '../../platform/jobs/tasks.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { applyVerificationUpdate } from '../billing-update/verify.ts'
import { applyChargeUpdates, lockCharge } from '../collection/apply-charge-updates.ts'
import { collectLate } from '../collection/late-charge.ts'
import { isTooLate, returnLater } from '../collection/late-payment.ts'
import { providerOfRef } from '../collection/provider-of.ts'
import { isUndecided, lookAtMoneyBack } from '../collection/watch.ts'
import { askForTransfer } from '../customer-emails/transfer.ts'
import { lockPurchase, type Purchase, payPurchase } from '../recovery/purchase.ts'
import { completeSale, prepareSale } from './complete-sale.ts'
import { takeLateMandate } from './late-mandate.ts'

/**
 * Asks the provider for the status of a payment and applies it. Safe to repeat and to race: the checkout is locked, and
 * an outcome that was acted on is not acted on again. As a task, it asks a polled provider until the outcome is known.
 */
export async function syncWithProvider(context: RequestContext, ref: string): Promise<void> {
  const provider = await providerOfRef(context, ref)
  const update = await provider.fetchPayment(context, ref)
  await transact(context, async (tx) => {
    const mustWait = await applyUpdate(tx, update)
    const payment = provider.isPolled ? await payments.paymentByRef(tx.sql, tx, ref) : null
    if (payment?.status === 'paid') await lookAtMoneyBack(tx, payment, update)
    const lacksMandate = payment !== null && (await takeLateMandate(tx, payment, update))
    return payment && (mustWait || lacksMandate || isUndecided(update))
      ? new Reschedule(nextLook(payment.createdAt, tx.now))
      : undefined
  })
}

/** Applies what a provider has answered already; as `syncWithProvider`. */
export async function applyAnswer(context: RequestContext, update: ProviderPayment): Promise<void> {
  await transact(context, async (tx) => {
    await applyUpdate(tx, update)
  })
}

/** Returns whether the update can be applied only later. */
async function applyUpdate(tx: Transaction, update: ProviderPayment): Promise<boolean> {
  const { sql, ...tenant } = tx
  const known = await payments.paymentByRef(sql, tenant, update.ref)
  switch (known?.purpose.kind) {
    case 'charge': {
      const charge = await lockCharge(tx, known.id)
      if (charge && isTooLate(charge.payment, update)) return collectLate(tx, charge)
      if (charge) await applyChargeUpdates(tx, [{ charge, update }])
      return false
    }
    case 'verification':
      await applyVerificationUpdate(tx, known, update)
      return false
    case 'sale':
      await applySaleUpdate(tx, known, update)
      return false
    default:
      // The provider may know of a payment before we have saved its reference; the submit that created it will save that.
      // Nobody can have paid it by then: its address was not given out.
      if (update.status === 'paid') throw new Error(`the provider has a paid payment ${update.ref} that we do not know`)
      return false
  }
}

async function applySaleUpdate(tx: Transaction, known: payments.Payment, update: ProviderPayment): Promise<void> {
  const { sql, now, emit, ...tenant } = tx
  const checkout = await store.lockCheckout(sql, tenant, known.purpose.id)
  const payment = await payments.findPayment(sql, tenant, known.id)
  const order = checkout && (await orderOfCheckout(sql, checkout.id))
  if (!checkout || !payment || !order) throw new Error(`payment ${known.id} has no sale`)
  if (isTooLate(payment, update)) return returnLater(tx, payment)
  const applied = applyProviderUpdate(payment, update, now)
  if (!applied) return
  await payments.savePayment(sql, applied)
  if (!tx.testmode && applied.country) await savePaymentCountry(sql, order.id, applied.country)
  const { status } = applied
  // The bank returned an earlier payment: the sale is complete, and its invoice stays valid. The recovery continues
  // until a payment.
  if (order.invoice !== null)
    return status === 'paid' ? payPurchase(tx, await lockedPurchase(tx, order), applied) : undefined
  if (status === 'pending') {
    const prepared = await prepareSale(tx, { checkout, order })
    if (applied.transfer) await askForTransfer(tx, applied, prepared)
  }
  const wasPending = payment.status === 'pending'
  if (status === 'paid')
    await completeSale(tx, { checkout, order, wasPending }, { method: applied.method, mandate: update.mandate })
  // A payment method that could not be verified leaves the checkout as it is: nothing was to be paid.
  if (status === 'failed' && payment.amount.minor > 0n) {
    const declined = { ...checkout, status: checkoutStates.on(checkout.status, 'decline', 'checkout_closed') }
    await store.saveCheckout(sql, declined)
    await emit({ name: 'checkout.failed', object: checkoutResource(declined, null) })
  }
}

/** A refund or a notice of the bank may have changed the order meanwhile: both lock it. */
async function lockedPurchase(tx: Transaction, { id }: Order): Promise<Purchase> {
  const purchase = await lockPurchase(tx, id)
  if (!purchase) throw new Error(`the order ${id} is gone`)
  return purchase
}
