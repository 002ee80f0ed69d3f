import { z } from 'zod'
import { endpoint } from '../../platform/http/endpoint.ts'
import { id, WireMoment } from '../../platform/http/shapes.ts'
import { returnUrlProblem } from './rules/return-url.ts'

const ReturnUrl = z
  .string()
  .superRefine((url, context) => {
    const message = returnUrlProblem(url)
    if (message) context.addIssue({ code: 'custom', message })
  })
  .meta({ maxLength: 2048 })

export const PortalSessionShape = z
  .object({
    url: z.string().describe('A single-use URL to redirect the customer to.'),
    expiresAt: WireMoment.describe('When the link ends. The browser session that it opens ends on its own.'),
    returnUrl: z.string().nullable().describe('Where the portal offers to return to, or null.'),
  })
  .meta({ id: 'PortalSession' })

export const createPortalSession = endpoint({
  id: 'createPortalSession',
  method: 'POST',
  path: '/v1/customers/{id}/portal-sessions',
  scope: 'no_refunds',
  tag: 'Customers',
  summary: 'Create a session of the customer portal.',
  description:
    'Returns a link to the portal, which works once and for 15 minutes. Redirect the customer to it, and neither log ' +
    'nor store it. Refuses with `portal_not_eligible` a customer without an issued invoice, and one whose data was erased.',
  params: z.object({ id: id('customer_') }),
  body: z.object({
    returnUrl: ReturnUrl.nullish().describe('Where the portal offers to return to. An absolute https URL, or null.'),
  }),
  responses: { 201: PortalSessionShape },
  refuses: ['not_found', 'portal_not_eligible'],
  hasSecret: true,
})
