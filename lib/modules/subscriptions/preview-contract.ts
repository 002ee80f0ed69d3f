import { z } from 'zod'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { id, WireMoment } from '../../platform/http/shapes.ts'
import { QuoteFields } from '../orders/contract.ts'
import { ChangeBody, validateCombination } from './contract.ts'

export const changeRefusals = [
  'storefront_suspended',
  'subscription_not_changeable',
  'too_many_charges',
  'validation_failed',
] as const satisfies readonly RefusalCode[]

export const ChangePreviewShape = z
  .object({
    dueNow: z
      .object(QuoteFields)
      .nullable()
      .describe('The order of the change, charged at once; null if nothing is charged.'),
    nextRenewal: z
      .object({ at: WireMoment.describe('When the subscription renews.'), ...QuoteFields })
      .nullable()
      .describe('The order of the next renewal after the change; null if no renewal is due.'),
    refusal: z
      .object({
        code: z.enum(changeRefusals).describe('The code of the refusal.'),
        message: z.string().describe('A message for people.'),
        errors: z
          .record(z.string(), z.array(z.string()))
          .optional()
          .describe('Messages by field, if the refusal names fields.'),
      })
      .nullable()
      .describe(
        'The error with which PATCH would refuse the change: `code`, `message`, and `errors`. Null if ' +
          'PATCH would accept the change.',
      ),
    asOf: WireMoment.describe('The time of the preview. Send `asOf` with PATCH to get exactly these amounts.'),
  })
  .meta({ id: 'SubscriptionChangePreview' })

export const previewSubscriptionChange = endpoint({
  id: 'previewSubscriptionChange',
  method: 'POST',
  path: '/v1/subscriptions/{id}/preview',
  scope: 'read_only',
  tag: 'Subscriptions',
  summary: 'Preview a change of a subscription.',
  description:
    'An addition to the contract. Takes the body of PATCH, changes nothing, and returns the amounts ' +
    'that the change would charge. If a rule refuses the change, the response has the status 200 and ' +
    'contains the rule in `refusal`. PATCH with the `asOf` of the preview charges exactly these ' +
    'amounts, or is refused. No idempotency key is needed.',
  params: z.object({ id: id('subscription_') }),
  body: ChangeBody,
  validateCombination,
  responses: { 200: ChangePreviewShape },
  refuses: ['not_found'],
})
