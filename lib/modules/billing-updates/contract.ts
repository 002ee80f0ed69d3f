import { z } from 'zod'
import { endpoint } from '../../platform/http/endpoint.ts'
import { BillingAddress, id, LinkShape } from '../../platform/http/shapes.ts'
import { redirectUrl } from '../checkouts/contract.ts'

const RedirectUrl = redirectUrl({ hasCheckout: false })

export const createBillingUpdateLink = endpoint({
  id: 'createBillingUpdateLink',
  method: 'POST',
  path: '/v1/subscriptions/{id}/billing-update-link',
  tag: 'Subscriptions',
  summary: 'Make a signed link to the hosted page where the customer edits billing details and payment method.',
  params: z.object({ id: id('subscription_') }),
  body: z.object({
    redirectUrlSuccess: RedirectUrl,
    redirectUrlCanceled: RedirectUrl,
    billingAddress: BillingAddress.nullish(),
  }),
  responses: { 200: LinkShape },
  refuses: ['not_found', 'subscription_not_changeable'],
})
