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
    expiresAt: WireMoment.describe(
      'When the link expires. The browser session that starts with the link does not depend on this time.',
    ),
    returnUrl: z.string().nullable().describe('The page to which the portal links back, or null.'),
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
    'Returns a link to the portal. The link works once, within 15 minutes. Redirect the customer to ' +
    'the link, and do not log or store the link. Refuses a customer without an issued invoice, and a ' +
    'customer whose data was erased (`portal_not_eligible`).',
  params: z.object({ id: id('customer_') }),
  body: z.object({
    returnUrl: ReturnUrl.nullish().describe('The page to which the portal links back. An absolute https URL, or null.'),
  }),
  responses: { 201: PortalSessionShape },
  refuses: ['not_found', 'portal_not_eligible'],
  hasSecret: true,
})
