import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { apiLink } from '../../platform/http/links.ts'
import { wireMoney } from '../../platform/http/shapes.ts'
import { wireLine, wireTaxes } from '../orders/resource.ts'
import type { RefundShape } from './contract.ts'
import type { Refund } from './rules/index.ts'

export function refundResource(refund: Refund): z.infer<typeof RefundShape> {
  const money = (minor: bigint) => wireMoney({ minor, currency: refund.currency })
  return {
    id: refund.id,
    resource: 'refund',
    testmode: refund.testmode,
    orderId: refund.creditNoteId,
    customerId: refund.customerId,
    status: refund.status,
    originalOrderId: refund.orderId,
    total: money(refund.total),
    subtotal: money(refund.subtotal),
    taxSummary: wireTaxes(refund.currency, refund.taxSummary),
    lines: refund.lines.map((line) => ({
      id: line.id,
      resource: 'refundline',
      ...wireLine(refund.currency, line),
    })),
    createdAt: toWire(refund.createdAt),
    links: {
      self: apiLink(`/refunds/${refund.id}`),
      originalOrder: apiLink(`/orders/${refund.orderId}`),
      order: refund.creditNoteId === null ? null : apiLink(`/orders/${refund.creditNoteId}`),
    },
  }
}
