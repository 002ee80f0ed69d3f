import { z } from 'zod'
import { hasUserInfo, parseHttpUrl } from '../../kernel/url.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import { id, LinkShape, text, WireMoment } from '../../platform/http/shapes.ts'
import { eventNames } from '../../platform/jobs/events.ts'

const Url = text({ max: 2048 })
  .refine((value) => parseHttpUrl(value) !== null, { error: 'Must be an absolute https URL.', abort: true })
  .refine((value) => !hasUserInfo(value), { error: 'Must not carry credentials (user:password@).' })
  .refine((value) => !value.includes('#'), { error: 'Must not have a fragment (#): it is never sent.' })
  .meta({ format: 'uri' })

const Secret = z
  .string()
  .refine(
    (value) => [...value].length >= 10 && value.length <= 500 && value.isWellFormed() && !value.includes('\u0000'),
    {
      error: 'Must have 10 to 500 characters.',
    },
  )
  .meta({ minLength: 10, maxLength: 500, writeOnly: true })

const EnabledEvents = z
  .array(z.enum(eventNames, { error: 'Must be the name of an event that can be subscribed to.' }))
  .max(eventNames.length)
  .superRefine((names, context) => {
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) !== index)
        context.addIssue({ code: 'custom', path: [index], message: 'Must not be listed twice.' })
    }
  })

export const WebhookEndpointShape = z
  .object({
    id: z.string(),
    resource: z.literal('webhook_endpoint'),
    testmode: z.boolean(),
    url: z.string(),
    enabledEvents: z.array(z.string()),
    createdAt: WireMoment,
    links: z.object({ self: LinkShape }),
  })
  .meta({ id: 'WebhookEndpoint' })

export const WebhookEventShape = z
  .object({
    id: z.string(),
    resource: z.literal('webhook_event'),
    eventName: z.string(),
    reason: z.enum(['updated_immediately', 'updated_on_renewal', 'renewed']).nullable(),
    entityType: z.string(),
    entityId: z.string(),
    testmode: z.boolean(),
    createdAt: WireMoment,
    object: z.record(z.string(), z.unknown()),
    links: z.object({ self: LinkShape }),
  })
  .meta({ id: 'WebhookEvent' })

const tag = 'Webhooks'
const params = z.object({ id: id('webhook_') })

export const listWebhookEndpoints = endpoint({
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/v1/webhook-endpoints',
  tag,
  summary: 'List webhook endpoints, newest first. A mode of a storefront has up to five.',
  query: listQuery({}),
  responses: { 200: listShape(WebhookEndpointShape) },
  refuses: ['validation_failed'],
})

export const createWebhookEndpoint = endpoint({
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoints',
  tag,
  summary: 'Register a webhook endpoint. It must answer a signed webhook.setup ping with 2xx within 10 seconds.',
  body: z.object({ url: Url, secret: Secret, enabledEvents: EnabledEvents.optional() }),
  responses: { 201: WebhookEndpointShape },
  refuses: [],
})

export const getWebhookEndpoint = endpoint({
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/v1/webhook-endpoints/{id}',
  tag,
  summary: 'Get a webhook endpoint.',
  params,
  responses: { 200: WebhookEndpointShape },
  refuses: ['not_found'],
})

export const updateWebhookEndpoint = endpoint({
  id: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/v1/webhook-endpoints/{id}',
  tag,
  summary: 'Change URL, secret or events. A new URL is checked as on registration.',
  params,
  body: z.object({ url: Url.optional(), secret: Secret.optional(), enabledEvents: EnabledEvents.optional() }),
  responses: { 200: WebhookEndpointShape },
  refuses: ['not_found'],
})

export const deleteWebhookEndpoint = endpoint({
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/v1/webhook-endpoints/{id}',
  tag,
  summary: 'Delete a webhook endpoint. Deliveries stop at once.',
  params,
  responses: { 204: null },
  refuses: ['not_found'],
})

export const getWebhookEvent = endpoint({
  id: 'getWebhookEvent',
  method: 'GET',
  path: '/v1/webhook-events/{eventId}',
  tag,
  summary: 'Get a webhook event with the exact payload sent.',
  params: z.object({ eventId: id('webhook_event_') }),
  responses: { 200: WebhookEventShape },
  refuses: ['not_found'],
})
