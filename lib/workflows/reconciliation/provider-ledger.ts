import { formatMoney } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import { findOrderAnywhere } from '../../modules/orders/store.ts'
import { paymentsOfOrder } from '../../modules/payments/store.ts'
import { db } from '../../platform/db/db.ts'
import { allTestControls } from '../../providers/index.ts'

/** Lists the records oldest first, without simulated payments. Refuses with `validation_failed` if the order does not exist. */
export async function providerLedger(orderId: string) {
  const found = await findOrderAnywhere(db(), orderId)
  if (!found) throw invalid('order', 'There is no order with this id.')
  const attempts = await paymentsOfOrder(db(), orderId)
  const ids = attempts.map(({ id }) => id)
  const entries = await Promise.all(allTestControls().map((controls) => controls.paymentsByKeys(ids)))
  return entries.flat().map((entry) => ({
    ref: entry.ref,
    paymentId: entry.idempotencyKey,
    kind: entry.mandateRef === null ? 'first' : 'recurring',
    method: entry.method,
    amount: formatMoney(entry.amount),
    currency: entry.amount.currency,
    status: entry.status,
    failureReason: entry.failureReason,
    createdAt: entry.createdAt,
  }))
}
