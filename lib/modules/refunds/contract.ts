import { z } from 'zod'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import {
  amountIn,
  id,
  LinkShape,
  Metadata,
  MoneyShape,
  TaxLineShape,
  text,
  WireMoment,
} from '../../platform/http/shapes.ts'
import { LineShape } from '../orders/contract.ts'

const RefundLineShape = z
  .object({ id: z.string(), resource: z.literal('refundline'), ...LineShape.shape })
  .meta({ id: 'RefundLine' })

export const RefundShape = z
  .object({
    id: z.string(),
    resource: z.literal('refund'),
    testmode: z.boolean(),
    orderId: z.string().nullable().meta({ description: 'The credit note; null until the refund is processed.' }),
    customerId: z.string(),
    status: z.enum(['pending', 'queued', 'processing', 'refunded', 'failed', 'canceled']),
    originalOrderId: z.string(),
    total: MoneyShape,
    subtotal: MoneyShape,
    taxSummary: z.array(TaxLineShape),
    lines: z.array(RefundLineShape),
    createdAt: WireMoment,
    links: z.object({ self: LinkShape, originalOrder: LinkShape, order: LinkShape.nullable() }),
  })
  .meta({ id: 'Refund' })

const description = text({ min: 1, max: 255 }).nullish()

/** One line of a request. */
export const RefundItemBody = z.object({
  itemId: id('order_item_'),
  // The maximum amount of a line.
  amount: amountIn(z.enum(['EUR', 'USD'], { error: 'Must be "EUR" or "USD".' }), '0.01', '99999999.99').meta({
    description: 'Before tax, in the currency of the order.',
  }),
  description,
  descriptionAdditionalLine: description.meta({ description: 'A second line of the description.' }),
})

const ofOrder = z.object({ orderId: id('order_') })
const ofOrderAndRefund = z.object({ orderId: id('order_'), refundId: id('refund_') })
const tag = 'Refunds'

export const createRefund = endpoint({
  id: 'createRefund',
  method: 'POST',
  path: '/v1/orders/{orderId}/refunds',
  tag,
  summary: 'Refund a part of an order. It can be canceled for a while, and then goes to the bank.',
  params: ofOrder,
  body: z.object({ items: z.array(RefundItemBody).min(1).max(100), metadata: Metadata.nullish() }),
  responses: { 201: RefundShape },
  refuses: ['not_found'],
})

export const createFullRefund = endpoint({
  id: 'createFullRefund',
  method: 'POST',
  path: '/v1/orders/{orderId}/refunds/full',
  tag,
  summary: 'Refund all that is left of an order.',
  params: ofOrder,
  body: z.object({ metadata: Metadata.nullish() }),
  responses: { 201: RefundShape },
  refuses: ['not_found'],
})

export const listOrderRefunds = endpoint({
  id: 'listOrderRefunds',
  method: 'GET',
  path: '/v1/orders/{orderId}/refunds',
  tag,
  summary: 'List the refunds of an order, newest first.',
  params: ofOrder,
  query: listQuery({}),
  responses: { 200: listShape(RefundShape) },
  refuses: ['not_found', 'validation_failed'],
})

export const getOrderRefund = endpoint({
  id: 'getOrderRefund',
  method: 'GET',
  path: '/v1/orders/{orderId}/refunds/{refundId}',
  tag,
  summary: 'Get a refund of an order.',
  params: ofOrderAndRefund,
  responses: { 200: RefundShape },
  refuses: ['not_found'],
})

export const cancelRefund = endpoint({
  id: 'cancelRefund',
  method: 'DELETE',
  path: '/v1/orders/{orderId}/refunds/{refundId}',
  tag,
  summary: 'Cancel a refund that is still pending.',
  params: ofOrderAndRefund,
  responses: { 204: null },
  refuses: ['not_found', 'refund_not_cancelable'],
})

export const listRefunds = endpoint({
  id: 'listRefunds',
  method: 'GET',
  path: '/v1/refunds',
  tag,
  summary: 'List refunds, newest first.',
  query: listQuery({}),
  responses: { 200: listShape(RefundShape) },
  refuses: ['validation_failed'],
})

export const getRefund = endpoint({
  id: 'getRefund',
  method: 'GET',
  path: '/v1/refunds/{refundId}',
  tag,
  summary: 'Get a refund.',
  params: z.object({ refundId: id('refund_') }),
  responses: { 200: RefundShape },
  refuses: ['not_found'],
})
