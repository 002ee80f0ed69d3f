import { z } from 'zod'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import { id, LinkShape, MoneyShape, TaxLineShape, WireMoment } from '../../platform/http/shapes.ts'

export const ChargebackShape = z
  .object({
    id: z.string(),
    resource: z.literal('chargeback'),
    testmode: z.boolean(),
    customerId: z.string(),
    status: z.enum(['pending', 'requires_amount_review', 'accepted', 'rejected', 'evidence_submitted', 'won', 'lost']),
    amount: MoneyShape,
    settlementAmount: MoneyShape,
    total: MoneyShape,
    subtotal: MoneyShape,
    taxSummary: z.array(TaxLineShape),
    reason: z.string(),
    originalOrderId: z.string(),
    orderId: z.string().nullable().meta({ description: 'The credit note; null until the chargeback is processed.' }),
    createdAt: WireMoment,
    links: z.object({ self: LinkShape, originalOrder: LinkShape, order: LinkShape.optional() }),
  })
  .meta({ id: 'Chargeback' })

const tag = 'Chargebacks'

export const listChargebacks = endpoint({
  id: 'listChargebacks',
  method: 'GET',
  path: '/v1/chargebacks',
  tag,
  summary: 'List chargebacks, newest first.',
  query: listQuery({}),
  responses: { 200: listShape(ChargebackShape) },
  refuses: ['validation_failed'],
})

export const getChargeback = endpoint({
  id: 'getChargeback',
  method: 'GET',
  path: '/v1/chargebacks/{chargebackId}',
  tag,
  summary: 'Get a chargeback.',
  params: z.object({ chargebackId: id('chargeback_') }),
  responses: { 200: ChargebackShape },
  refuses: ['not_found'],
})

export const listOrderChargebacks = endpoint({
  id: 'listOrderChargebacks',
  method: 'GET',
  path: '/v1/orders/{orderId}/chargebacks',
  tag,
  summary: 'List the chargebacks of an order, newest first.',
  params: z.object({ orderId: id('order_') }),
  query: listQuery({}),
  responses: { 200: listShape(ChargebackShape) },
  refuses: ['not_found', 'validation_failed'],
})

export const getOrderChargeback = endpoint({
  id: 'getOrderChargeback',
  method: 'GET',
  path: '/v1/orders/{orderId}/chargebacks/{chargebackId}',
  tag,
  summary: 'Get a chargeback of an order.',
  params: z.object({ orderId: id('order_'), chargebackId: id('chargeback_') }),
  responses: { 200: ChargebackShape },
  refuses: ['not_found'],
})
