import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { apiLink } from '../../platform/http/links.ts'
import { wireMoney } from '../../platform/http/shapes.ts'
import { wireTaxes } from '../orders/resource.ts'
import type { ChargebackShape } from './contract.ts'
import { type Chargeback, settlementAmount } from './rules/index.ts'

export function chargebackResource(chargeback: Chargeback): z.infer<typeof ChargebackShape> {
  const money = (minor: bigint) => wireMoney({ minor, currency: chargeback.currency })
  const { orderId, creditNoteId } = chargeback
  return {
    id: chargeback.id,
    resource: 'chargeback',
    testmode: chargeback.testmode,
    customerId: chargeback.customerId,
    status: chargeback.status,
    amount: money(chargeback.amount),
    settlementAmount: money(settlementAmount(chargeback)),
    total: money(chargeback.total),
    subtotal: money(chargeback.subtotal),
    taxSummary: wireTaxes(chargeback.currency, chargeback.taxSummary),
    reason: chargeback.reason,
    originalOrderId: orderId,
    orderId: creditNoteId,
    createdAt: toWire(chargeback.createdAt),
    links: {
      self: apiLink(`/chargebacks/${chargeback.id}`),
      originalOrder: apiLink(`/orders/${orderId}`),
      order: creditNoteId === null ? null : apiLink(`/orders/${creditNoteId}`),
    },
  }
}
