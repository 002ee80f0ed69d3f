import { z } from 'zod'
import { endpoint } from '../../platform/http/endpoint.ts'
import { createdFilters, listQuery, listShape } from '../../platform/http/paging.ts'
import {
  BillingAddressShape,
  id,
  LinkShape,
  MetadataShape,
  MoneyShape,
  SelfLink,
  TaxLineShape,
  WireMoment,
} from '../../platform/http/shapes.ts'
import { PaymentFailureShape } from '../recovery/contract.ts'

export const LineShape = z.object({
  description: z.string().describe('The description of the line.'),
  quantity: z.int().describe('The number of units.'),
  basePrice: MoneyShape.extend({ value: z.string().describe('A decimal string with two to eight decimals.') })
    .meta({ id: 'UnitPrice' })
    .describe('The price of one unit, before tax.'),
  total: MoneyShape.describe('The subtotal and its taxes.'),
  subtotal: MoneyShape.describe('`basePrice` x `quantity`, rounded to cents.'),
  taxes: z.array(TaxLineShape).describe('The taxes of the line, by rate.'),
})

const OrderStatus = z.enum(['created', 'pending', 'paid', 'canceled', 'expired'])

export const OrderLineShape = z
  .object({
    id: z.string().describe('The id of this line.'),
    resource: z.literal('orderline').describe('The type of the resource.'),
    ...LineShape.shape,
    productType: z
      .enum([
        'one_off_product',
        'subscription_plan',
        'subscription',
        'billing_details_verification',
        'auth_request_product',
      ])
      .nullable()
      .describe('The type of the resource in `productId`, or the kind of verification. Null on a credit note.'),
    productId: z.string().nullable().describe('The id of the sold product, plan or subscription, or null.'),
    metadata: MetadataShape.describe('The metadata that the checkout stated for the product. Otherwise null.'),
    links: z
      .object({
        order: LinkShape.describe('The order of this line.'),
        product: LinkShape.nullable().describe('The resource in `productId`. Null if `productId` is null.'),
      })
      .describe('Links to related resources.'),
  })
  .meta({ id: 'OrderLine' })

export const QuoteFields = {
  lines: z
    .array(OrderLineShape.omit({ id: true, links: true }).meta({ id: 'PreviewLine' }))
    .describe('The lines that the order would have.'),
  subtotal: MoneyShape.describe('The amount before tax.'),
  taxSummary: z.array(TaxLineShape).describe('The taxes, by rate.'),
  total: MoneyShape.describe('The amount with tax.'),
}

export const OrderShape = z
  .object({
    id: z.string().describe('The id of this order.'),
    resource: z.literal('order').describe('The type of the resource.'),
    testmode: z.boolean().describe('Whether the order belongs to test mode.'),
    customerId: z.string().nullable().describe('The id of the customer; null before the customer is created.'),
    metadata: MetadataShape,
    paymentMethod: z
      .string()
      .nullable()
      .describe(
        'The payment method, such as `creditcard`, `ideal`, or, in live mode, `banktransfer`. The ' +
          'payment provider reports which method was used.',
      ),
    status: OrderStatus.describe(
      '`pending` while a payment is in progress or a failed charge is retried. `paid` becomes `pending` again if the bank returns the direct debit.',
    ),
    paymentFailure: PaymentFailureShape.nullable().describe(
      'For an unpaid order: why the latest charge failed, and when the next charge is due. Otherwise null.',
    ),
    invoiceNumber: z
      .string()
      .nullable()
      .describe('The number of the invoice or credit note; null before it is issued.'),
    creditedOrderId: z
      .string()
      .nullable()
      .describe('On a credit note: the order whose amount the credit note returns. Null on every other order.'),
    replacesOrderId: z
      .string()
      .nullable()
      .describe(
        'On an invoice that replaces the invoice of a paid order: the id of the paid order. Null on every other order.',
      ),
    total: MoneyShape.describe('The amount with tax.'),
    subtotal: MoneyShape.describe('The amount before tax.'),
    reversedSubtotal: MoneyShape.describe('The amount that refunds and chargebacks have returned, before tax.'),
    refundableSubtotal: MoneyShape.describe('The amount that can still be refunded, before tax.'),
    taxSummary: z.array(TaxLineShape).describe('The taxes of the order, by rate.'),
    lines: z.array(OrderLineShape).describe('The lines of the order.'),
    customerDetails: BillingAddressShape.extend({
      email: z.string().nullable().describe("The buyer's email address."),
    })
      .meta({ id: 'CustomerDetails' })
      .describe('The buyer, as on the invoice.'),
    createdAt: WireMoment.describe('When the order was created.'),
    links: z
      .object({
        self: SelfLink,
        customer: LinkShape.nullable().describe('The customer; null before the customer is created.'),
        customerInvoice: LinkShape.optional().describe(
          'The page of the invoice. Present once the invoice has a number.',
        ),
      })
      .describe('Links to related resources and pages.'),
  })
  .meta({ id: 'Order' })

const tag = 'Orders'

export const listOrders = endpoint({
  id: 'listOrders',
  method: 'GET',
  path: '/v1/orders',
  scope: 'read_only',
  tag,
  summary: 'List orders.',
  description:
    'Returns the orders of the storefront and mode, newest first: sales, renewals, changes of ' +
    'subscriptions, verifications of payment methods, and credit notes.',
  query: listQuery({
    customerId: id('customer_').optional().describe('Only the orders and credit notes of this customer.'),
    subscriptionId: id('subscription_')
      .optional()
      .describe('Only the orders of this subscription: its sale, renewals, changes, verifications, and credit notes.'),
    status: OrderStatus.optional().describe('Only the orders with this status.'),
    ...createdFilters,
  }),
  responses: { 200: listShape(OrderShape) },
  refuses: [],
})

export const getOrder = endpoint({
  id: 'getOrder',
  method: 'GET',
  path: '/v1/orders/{id}',
  scope: 'read_only',
  tag,
  summary: 'Get an order.',
  description: 'Returns an order with its lines and taxes.',
  params: z.object({ id: id('order_') }),
  responses: { 200: OrderShape },
  refuses: ['not_found'],
})

export const cancelRecovery = endpoint({
  id: 'cancelRecovery',
  method: 'DELETE',
  path: '/v1/orders/{id}/recovery',
  scope: 'no_refunds',
  tag,
  summary: 'Cancel the unpaid order of a change.',
  description:
    'An addition to the contract. Cancels the order of a change whose payment failed. The ' +
    'subscription returns at once to the plan, price, quantity and billing cycle before the change. Sends ' +
    '`order.canceled` and `subscription.updated` (reason `change_reverted`). Refuses: an order without ' +
    'an open recovery, an order with a charge in progress, and the order of a renewal or a sale. To end ' +
    'the recovery of a renewal or a sale, cancel the subscription instead.',
  params: z.object({ id: id('order_') }),
  responses: { 204: null },
  refuses: ['not_found', 'order_not_in_recovery', 'renewal_order', 'already_in_flight'],
})
