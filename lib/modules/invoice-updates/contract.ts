import { z } from 'zod'
import { endpoint } from '../../platform/http/endpoint.ts'
import { id, LinkShape } from '../../platform/http/shapes.ts'

export const createInvoiceUpdateLink = endpoint({
  id: 'createInvoiceUpdateLink',
  method: 'POST',
  path: '/v1/orders/{orderId}/invoice-update-link',
  tag: 'Orders',
  summary: 'Make a signed link to the hosted page where the customer corrects the details on an issued invoice.',
  params: z.object({ orderId: id('order_') }),
  responses: { 200: LinkShape },
  refuses: ['not_found', 'validation_failed'],
})
