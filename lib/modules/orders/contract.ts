import { z } from 'zod'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import {
  BillingAddressShape,
  id,
  LinkShape,
  MetadataShape,
  MoneyShape,
  TaxLineShape,
  WireMoment,
} from '../../platform/http/shapes.ts'

/** What the lines of orders and of refunds have in common. */
export const LineShape = z.object({
  description: z.string(),
  quantity: z.int(),
  basePrice: MoneyShape.extend({ value: z.string().meta({ description: 'Two to eight decimals.' }) }).meta({
    id: 'UnitPrice',
  }),
  total: MoneyShape,
  subtotal: MoneyShape,
  taxes: z.array(TaxLineShape),
})

export const OrderLineShape = z
  .object({
    id: z.string(),
    resource: z.literal('orderline'),
    ...LineShape.shape,
    productType: z
      .enum([
        'one_off_product',
        'subscription_plan',
        'subscription',
        'billing_details_verification',
        'auth_request_product',
      ])
      .nullable(),
    productId: z.string().nullable(),
  })
  .meta({ id: 'OrderLine' })

export const OrderShape = z
  .object({
    id: z.string(),
    resource: z.literal('order'),
    testmode: z.boolean(),
    customerId: z.string().nullable(),
    metadata: MetadataShape,
    paymentMethod: z.string().nullable(),
    status: z.enum(['created', 'pending', 'paid', 'canceled', 'expired']),
    invoiceNumber: z.string().nullable(),
    total: MoneyShape,
    subtotal: MoneyShape,
    reversedSubtotal: MoneyShape,
    refundableSubtotal: MoneyShape,
    taxSummary: z.array(TaxLineShape),
    lines: z.array(OrderLineShape),
    customerDetails: BillingAddressShape.extend({ email: z.string().nullable() }).meta({ id: 'CustomerDetails' }),
    createdAt: WireMoment,
    links: z.object({ self: LinkShape, customer: LinkShape.nullable(), customerInvoice: LinkShape.optional() }),
  })
  .meta({ id: 'Order' })

const tag = 'Orders'

export const listOrders = endpoint({
  id: 'listOrders',
  method: 'GET',
  path: '/v1/orders',
  tag,
  summary: 'List orders, newest first.',
  query: listQuery({}),
  responses: { 200: listShape(OrderShape) },
  refuses: ['validation_failed'],
})

export const getOrder = endpoint({
  id: 'getOrder',
  method: 'GET',
  path: '/v1/orders/{orderId}',
  tag,
  summary: 'Get an order.',
  params: z.object({ orderId: id('order_') }),
  responses: { 200: OrderShape },
  refuses: ['not_found'],
})
