import { z } from 'zod'
import { endpoint } from '../../platform/http/endpoint.ts'
import { id, LinkShape } from '../../platform/http/shapes.ts'

export const createInvoiceUpdateLink = endpoint({
  id: 'createInvoiceUpdateLink',
  method: 'POST',
  path: '/v1/orders/{id}/invoice-update-link',
  scope: 'no_refunds',
  tag: 'Orders',
  summary: 'Create a link to update an invoice.',
  description:
    'Returns a signed link to a hosted page on which the customer corrects the name, company, address or ' +
    'tax ID on the invoice. A valid tax ID on an invoice with tax brings the tax back: a credit note, a new invoice ' +
    'without tax, and a refund of the tax alone. The link is valid for 24 hours. An update of an invoice sends no event, ' +
    'unless the customer takes the details over to subscriptions (`subscription.billing_updated`). ' +
    'Refuses an order without an invoice.',
  params: z.object({ id: id('order_') }),
  responses: { 200: LinkShape },
  refuses: ['not_found'],
})
