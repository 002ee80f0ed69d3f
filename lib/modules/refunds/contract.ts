import { z } from 'zod'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import {
  AnyCurrency,
  amountIn,
  id,
  LinkShape,
  MoneyShape,
  OptionalMetadata,
  SelfLink,
  TaxLineShape,
  text,
  WireMoment,
} from '../../platform/http/shapes.ts'
import { LineShape } from '../orders/contract.ts'

const RefundLineShape = z
  .object({
    id: z.string().describe('The id of this line.'),
    resource: z.literal('refundline').describe('The type of the resource.'),
    ...LineShape.shape,
  })
  .meta({ id: 'RefundLine' })

const RefundStatus = z.enum(['pending', 'queued', 'processing', 'refunded', 'failed', 'canceled'])

export const RefundShape = z
  .object({
    id: z.string().describe('The id of this refund.'),
    resource: z.literal('refund').describe('The type of the resource.'),
    testmode: z.boolean().describe('Whether the refund belongs to test mode.'),
    orderId: z.string().nullable().describe('The id of the credit note; null until the refund is `refunded`.'),
    customerId: z.string().describe('The id of the customer.'),
    status: RefundStatus.describe(
      '`pending` can be canceled. `queued` waits for the balance. `processing` is at the bank.',
    ),
    originalOrderId: z.string().describe('The id of the order that is refunded.'),
    total: MoneyShape.describe('The amount with tax.'),
    subtotal: MoneyShape.describe('The amount before tax.'),
    taxSummary: z.array(TaxLineShape).describe('The taxes of the refund, by rate.'),
    lines: z.array(RefundLineShape).describe('The lines of the refund.'),
    createdAt: WireMoment.describe('When the refund was requested.'),
    links: z
      .object({
        self: SelfLink,
        originalOrder: LinkShape.describe('The order that is refunded.'),
        order: LinkShape.nullable().describe('The credit note; null until the refund is `refunded`.'),
      })
      .describe('Links to related resources.'),
  })
  .meta({ id: 'Refund' })

const description = text({ min: 1, max: 255 }).nullish()

export const RefundItemBody = z.object({
  itemId: id('order_item_').describe('The id of an order line.'),
  amount: amountIn(AnyCurrency, '0.01', '99999999.99').describe('The amount before tax, in the currency of the order.'),
  description: description.describe(
    'The description of the refund line, instead of the description of the order line.',
  ),
  descriptionAdditionalLine: description.describe('A second line of the description.'),
})

const ofOrder = z.object({ id: id('order_') })
const ofOrderAndRefund = z.object({ id: id('order_'), refundId: id('refund_') })
const tag = 'Refunds'

const refundFilters = {
  customerId: id('customer_').optional().describe('Only the refunds of this customer.'),
  status: RefundStatus.optional().describe('Only the refunds with this status.'),
}

export const createRefund = endpoint({
  id: 'createRefund',
  method: 'POST',
  path: '/v1/orders/{id}/refunds',
  scope: 'full',
  tag,
  summary: 'Refund part of an order.',
  description:
    'Refunds lines of an order. The refund is `pending` for 60 seconds in test mode and 2 hours in ' +
    'live mode, and can be canceled during this time. Then it is sent to the bank as soon as the ' +
    'balance covers the amount. Sends `refund.completed` or `refund.failed` when the refund ends. ' +
    'Refuses more than the refundable amount of a line or of the order, an unpaid order, an order of ' +
    '0.00, and a credit note.',
  params: ofOrder,
  body: z.object({
    items: z.array(RefundItemBody).min(1).max(100).describe('The lines to refund, with their amounts.'),
    metadata: OptionalMetadata,
  }),
  responses: { 201: RefundShape },
  refuses: ['not_found'],
})

export const createFullRefund = endpoint({
  id: 'createFullRefund',
  method: 'POST',
  path: '/v1/orders/{id}/refunds/full',
  scope: 'full',
  tag,
  summary: 'Refund the remaining amount of an order.',
  description:
    'Refunds the remaining amount of an order. The refund is `pending` for 60 seconds in test mode ' +
    'and 2 hours in live mode, and can be canceled during this time. Then it is sent to the bank as ' +
    'soon as the balance covers the amount. Sends `refund.completed` or `refund.failed` when the ' +
    'refund ends. Refuses an unpaid order, an order of 0.00, a credit note, and an order that is ' +
    'already refunded in full.',
  params: ofOrder,
  body: z.object({ metadata: OptionalMetadata }),
  responses: { 201: RefundShape },
  refuses: ['not_found'],
})

export const listOrderRefunds = endpoint({
  id: 'listOrderRefunds',
  method: 'GET',
  path: '/v1/orders/{id}/refunds',
  scope: 'read_only',
  tag,
  summary: 'List the refunds of an order.',
  description: 'Returns the refunds of an order, newest first.',
  params: ofOrder,
  query: listQuery(refundFilters),
  responses: { 200: listShape(RefundShape) },
  refuses: ['not_found'],
})

export const getOrderRefund = endpoint({
  id: 'getOrderRefund',
  method: 'GET',
  path: '/v1/orders/{id}/refunds/{refundId}',
  scope: 'read_only',
  tag,
  summary: 'Get a refund of an order.',
  description: 'Returns a refund of an order.',
  params: ofOrderAndRefund,
  responses: { 200: RefundShape },
  refuses: ['not_found'],
})

export const cancelRefund = endpoint({
  id: 'cancelRefund',
  method: 'DELETE',
  path: '/v1/orders/{id}/refunds/{refundId}',
  scope: 'full',
  tag,
  summary: 'Cancel a refund.',
  description:
    'Cancels a refund that is still `pending` and sends `refund.canceled`. Its amount can be refunded ' +
    'again. Refuses a refund with any other status.',
  params: ofOrderAndRefund,
  responses: { 204: null },
  refuses: ['not_found', 'refund_not_cancelable'],
})

export const listRefunds = endpoint({
  id: 'listRefunds',
  method: 'GET',
  path: '/v1/refunds',
  scope: 'read_only',
  tag,
  summary: 'List refunds.',
  description: 'Returns the refunds of the storefront and mode, newest first.',
  query: listQuery(refundFilters),
  responses: { 200: listShape(RefundShape) },
  refuses: [],
})

export const getRefund = endpoint({
  id: 'getRefund',
  method: 'GET',
  path: '/v1/refunds/{id}',
  scope: 'read_only',
  tag,
  summary: 'Get a refund.',
  description: 'Returns a refund.',
  params: z.object({ id: id('refund_') }),
  responses: { 200: RefundShape },
  refuses: ['not_found'],
})
