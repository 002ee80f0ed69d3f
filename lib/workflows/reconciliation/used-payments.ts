import type { Booked } from '../../modules/payments/provider-data.ts'
import { decidedOf } from '../../modules/unknown-payments/store.ts'
import { db } from '../../platform/db/db.ts'

/**
 * After a restore, a charge can use a provider's payment that the restored database lacks, instead of charging the customer again. This function gives that
 * payment the id of the charge, so that the two are compared. Removes payments that an operator released and that are refunded in full. Other released
 * payments stay, because they are differences.
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
