import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { evidenceOf, isOutsideScope, isReverseCharge } from '../../modules/tax/rules/index.ts'
import { insertEvidence } from '../../modules/tax/store.ts'

/**
 * Keeps what the tax of new orders of subscriptions is decided by, in live mode: the stored billing details, and the
 * registry's answer that counts. The country of the payment follows with its outcome; nobody visits a page.
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
