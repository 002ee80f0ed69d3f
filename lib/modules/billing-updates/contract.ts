import { z } from 'zod'
import { endpoint } from '../../platform/http/endpoint.ts'
import { BillingAddress, id, LinkShape } from '../../platform/http/shapes.ts'
import { redirectUrl } from '../checkouts/contract.ts'

const RedirectUrl = redirectUrl({ hasCheckout: false })

export const createBillingUpdateLink = endpoint({
  id: 'createBillingUpdateLink',
  method: 'POST',
  path: '/v1/subscriptions/{id}/billing-update-link',
  scope: 'no_refunds',
  tag: 'Subscriptions',
  summary: 'Create a link to update billing details.',
  description:
    'Returns a signed link to a hosted page on which the customer changes the billing details and the ' +
    'payment method of a subscription. The link is valid for 24 hours. A change sends ' +
    '`subscription.billing_updated`. A new payment method is charged for outstanding amounts. Refuses ' +
    'a subscription that has not started or has ended.',
  params: z.object({ id: id('subscription_') }),
  body: z.object({
    redirectUrlSuccess: RedirectUrl.describe(
      'The page that the customer sees after an update. An absolute http or https URL.',
    ),
    redirectUrlCanceled: RedirectUrl.describe(
      'The page that the customer sees after leaving without an update. An absolute http or https URL.',
    ),
    billingAddress: BillingAddress.nullish().describe(
      'The details that the form shows instead of the stored details. If null or empty, the form ' +
        'shows the stored details.',
    ),
  }),
  responses: { 200: LinkShape },
  refuses: ['not_found', 'subscription_not_changeable'],
})
