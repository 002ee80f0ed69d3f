import { z } from 'zod'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import { id, LinkShape, MoneyShape, SelfLink, TaxLineShape, WireMoment } from '../../platform/http/shapes.ts'

const ChargebackStatus = z.enum([
  'pending',
  'requires_amount_review',
  'accepted',
  'rejected',
  'evidence_submitted',
  'won',
  'lost',
])

export const ChargebackShape = z
  .object({
    id: z.string().describe('The id of this chargeback.'),
    resource: z.literal('chargeback').describe('The type of the resource.'),
    testmode: z.boolean().describe('Whether the chargeback belongs to test mode.'),
    customerId: z.string().describe('The id of the customer.'),
    status: ChargebackStatus.describe(
      '`requires_amount_review`: the disputed amount exceeds the total of the order, and an operator decides.',
    ),
    amount: MoneyShape.describe('The disputed amount, as the provider reports it.'),
    settlementAmount: MoneyShape.describe(
      "The amount that is deducted from the merchant's balance: `total` plus the provider's fee. " +
        '0.00 during a review.',
    ),
    total: MoneyShape.describe('The disputed amount with tax; at most the remaining amount of the order.'),
    subtotal: MoneyShape.describe('The disputed amount before tax; at most the remaining amount of the order.'),
    taxSummary: z.array(TaxLineShape).describe('The taxes of this part of the order, by rate.'),
    reason: z.string().describe('The reason of the dispute, such as `fraud` or `product_not_received`.'),
    originalOrderId: z.string().describe('The id of the disputed order.'),
    orderId: z
      .string()
      .nullable()
      .describe('The id of the credit note. Null until the chargeback is `accepted` or `lost`.'),
    createdAt: WireMoment.describe('When the chargeback arrived.'),
    links: z
      .object({
        self: SelfLink,
        originalOrder: LinkShape.describe('The disputed order.'),
        order: LinkShape.nullable().describe('The credit note. Null until the chargeback is `accepted` or `lost`.'),
      })
      .describe('Links to related resources.'),
  })
  .meta({ id: 'Chargeback' })

const tag = 'Chargebacks'

const chargebackFilters = {
  customerId: id('customer_').optional().describe('Only the chargebacks of this customer.'),
  status: ChargebackStatus.optional().describe('Only the chargebacks with this status.'),
}

export const listChargebacks = endpoint({
  id: 'listChargebacks',
  method: 'GET',
  path: '/v1/chargebacks',
  scope: 'read_only',
  tag,
  summary: 'List chargebacks.',
  description:
    'Returns the chargebacks of the storefront and mode, newest first. The provider creates ' +
    'chargebacks: `order.chargeback_received` reports a new chargeback, and ' +
    '`order.chargeback_reversed` reports a chargeback that is won or rejected.',
  query: listQuery(chargebackFilters),
  responses: { 200: listShape(ChargebackShape) },
  refuses: [],
})

export const getChargeback = endpoint({
  id: 'getChargeback',
  method: 'GET',
  path: '/v1/chargebacks/{id}',
  scope: 'read_only',
  tag,
  summary: 'Get a chargeback.',
  description: 'Returns a chargeback.',
  params: z.object({ id: id('chargeback_') }),
  responses: { 200: ChargebackShape },
  refuses: ['not_found'],
})

export const listOrderChargebacks = endpoint({
  id: 'listOrderChargebacks',
  method: 'GET',
  path: '/v1/orders/{id}/chargebacks',
  scope: 'read_only',
  tag,
  summary: 'List the chargebacks of an order.',
  description: 'Returns the chargebacks of an order, newest first.',
  params: z.object({ id: id('order_') }),
  query: listQuery(chargebackFilters),
  responses: { 200: listShape(ChargebackShape) },
  refuses: ['not_found'],
})

export const getOrderChargeback = endpoint({
  id: 'getOrderChargeback',
  method: 'GET',
  path: '/v1/orders/{id}/chargebacks/{chargebackId}',
  scope: 'read_only',
  tag,
  summary: 'Get a chargeback of an order.',
  description: 'Returns a chargeback of an order.',
  params: z.object({ id: id('order_'), chargebackId: id('chargeback_') }),
  responses: { 200: ChargebackShape },
  refuses: ['not_found'],
})
