import { invalid } from '../../kernel/refusal.ts'
import { findOrderAnywhere } from '../../modules/orders/store.ts'
import { paymentThatPaid } from '../../modules/payments/store.ts'
import { plainTaxId } from '../../modules/tax/rules/index.ts'
import { findCheck, findEvidence } from '../../modules/tax/store.ts'
import { db } from '../../platform/db/db.ts'

/**
 * What decided the tax of a live sale (Implementing Regulation 282/2011, art. 24f), for an auditor: what the buyer declared,
 * the country of address and payment, what the registry said then and says now, and the rates. Refuses
 * `validation_failed` on an order that is unknown or has no evidence.
 */
export async function showEvidence(orderId: string) {
  const found = await findOrderAnywhere(db(), orderId)
  if (!found) throw invalid('order', 'There is no order with this id.')
  const evidence = await findEvidence(db(), orderId)
  if (!evidence) throw invalid('order', 'It has no evidence: that is kept for sales on the checkout page of live mode.')
  const payment = await paymentThatPaid(db(), orderId)
  const registry = evidence.taxId === null ? null : await findCheck(db(), plainTaxId(evidence.taxId))
  const { order } = found
  return {
    ...evidence,
    paymentCountry: payment?.country ?? null,
    sellerCountry: order.seller.country,
    sellerVatId: order.seller.vatId,
    rates: order.taxSummary.map(({ rate }) => `${rate.name} ${rate.percentage}`),
    registry: registry && {
      result: registry.result,
      name: registry.name,
      address: registry.address,
      checkedAt: registry.checkedAt,
    },
  }
}
