import type { Booked } from '../../modules/payments/provider-data.ts'
import { decidedOf } from '../../modules/unknown-payments/store.ts'
import { db } from '../../platform/db/db.ts'

/**
 * Gives a payment of the provider the id of the charge that used it, so that the comparison matches the payment with
 * the charge. After a restore, a charge can use a payment that the restored database lacks, instead of charging the
 * customer again. Removes payments that an operator released and that are refunded in full. Keeps all other released
 * payments, so that the comparison reports them as differences.
 */
export async function withUsedPayments(booked: Booked): Promise<Booked> {
  const decided = await decidedOf(
    db(),
    booked.payments.flatMap(({ paymentId }) => paymentId ?? []),
  )
  if (decided.size === 0) return booked
  const payments = booked.payments.flatMap((each) => {
    const { usedBy, releasedAt } = decided.get(each.paymentId ?? '') ?? { usedBy: null, releasedAt: null }
    if (releasedAt !== null && each.isRefunded) return []
    return usedBy === null ? each : { ...each, paymentId: usedBy }
  })
  return { ...booked, payments }
}
