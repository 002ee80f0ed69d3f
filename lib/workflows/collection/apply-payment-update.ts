import type { Transaction } from '../../modules/events/transact.ts'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import { type Payment, paymentByRef } from '../../modules/payments/store.ts'
import { applyChargeUpdates, lockCharge } from './apply-charge-updates.ts'
import { collectLate } from './late-charge.ts'
import { isTooLate } from './late-payment.ts'

export interface PagePayment {
  /** A repeated outcome has no effect. */
  apply(tx: Transaction, payment: Payment, update: ProviderPayment): Promise<void>
  /** Whether the provider must be asked again after the outcome is known. */
  isIncomplete?(tx: Transaction, payment: Payment, update: ProviderPayment): Promise<boolean>
}

/** These workflows are above this workflow, so the caller names them. */
export type PagePayments = Readonly<Partial<Record<Exclude<Payment['purpose']['kind'], 'charge'>, PagePayment>>>

/** Returns true if the update can only be applied later. */
export async function applyPaymentUpdate(
  tx: Transaction,
  update: ProviderPayment,
  onPage: PagePayments,
): Promise<boolean> {
  const { sql, ...tenant } = tx
  const known = await paymentByRef(sql, tenant, update.ref)
  // The provider may know a payment before we have saved its reference; the form that created it will save it. Nobody
  // can have paid it yet, because nobody has its address.
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
