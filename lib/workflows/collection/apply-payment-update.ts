import type { Transaction } from '../../modules/events/transact.ts'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import { type Payment, paymentByRef } from '../../modules/payments/store.ts'
import { applyChargeUpdates, lockCharge } from './apply-charge-updates.ts'
import { collectLate } from './late-charge.ts'
import { isTooLate } from './late-payment.ts'

export interface PagePayment {
  apply(tx: Transaction, payment: Payment, update: ProviderPayment): Promise<void>
  /** Whether the payment must be fetched again although its outcome is known, for example because its mandate is missing. */
  isIncomplete?(tx: Transaction, payment: Payment, update: ProviderPayment): Promise<boolean>
}

/** The caller passes the handlers of each purpose, because this workflow must not import the workflows that define the handlers. */
export type PagePayments = Readonly<Partial<Record<Exclude<Payment['purpose']['kind'], 'charge'>, PagePayment>>>

/** Returns true if the update must be applied later, because another charge of the order is open. */
export async function applyPaymentUpdate(
  tx: Transaction,
  update: ProviderPayment,
  onPage: PagePayments,
): Promise<boolean> {
  const { sql, ...tenant } = tx
  const known = await paymentByRef(sql, tenant, update.ref)
  // The provider can notify us of a payment before we have saved its reference. Such a payment is unpaid, because
  // nobody has the address of its page yet.
  if (!known) {
    if (update.status === 'paid') throw new Error(`the provider has a paid payment ${update.ref} that we do not know`)
    return false
  }
  const { kind } = known.purpose
  if (kind === 'charge') {
    const charge = await lockCharge(tx, known.id)
    if (charge && isTooLate(charge.payment, update)) return collectLate(tx, charge)
    if (charge) await applyChargeUpdates(tx, [{ charge, update }])
    return false
  }
  const purpose = onPage[kind]
  if (!purpose) throw new Error(`the payment ${known.id} is for another purpose: ${kind}`)
  await purpose.apply(tx, known, update)
  return false
}
