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
    'Returns a signed link to a hosted page on which the customer corrects the name, company, address ' +
    'or tax ID on the invoice. If the customer adds a valid tax ID to an invoice with tax, the ' +
    'service refunds the tax: it issues a credit note and a new invoice without tax. The link is ' +
    'valid for 24 hours. An update of an invoice sends no event, unless the customer also applies the ' +
    'details to subscriptions (`subscription.billing_updated`). Refuses an order without an invoice.',
  params: z.object({ id: id('order_') }),
  responses: { 200: LinkShape },
  refuses: ['not_found'],
})
