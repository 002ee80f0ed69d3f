import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { evidenceOf, isOutsideScope, isReverseCharge } from '../../modules/tax/rules/index.ts'
import { insertEvidence } from '../../modules/tax/store.ts'

/**
 * Stores the tax evidence of billed orders, in live mode only. The country of the payment is added after the payment has an outcome.
 */
export async function keepEvidence(
  tx: Transaction,
  billed: readonly { readonly subscription: Subscription; readonly order: Order; readonly own?: Transaction }[],
): Promise<void> {
  const { sql, testmode } = tx
  if (testmode) return
  await insertEvidence(
    sql,
    tx,
    billed.map(({ subscription: { billingAddress, taxFacts }, order, own = tx }) =>
      evidenceOf(order, billingAddress, taxFacts, {
        taxReason: reasonOf(order),
        exchangeRateOn: order.exchangeRate?.on ?? null,
        createdAt: own.now,
      }),
    ),
  )
}

function reasonOf({ taxSummary }: Order) {
  if (isReverseCharge(taxSummary)) return 'reverse_charge'
  return isOutsideScope(taxSummary) ? 'outside_scope' : 'standard'
}
