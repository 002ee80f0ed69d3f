import { z } from 'zod'
import { ruleOf } from '../../kernel/rule-problem.ts'
import { hasUserInfo, parseHttpUrl } from '../../kernel/url.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { createdFilters, listQuery, listShape } from '../../platform/http/paging.ts'
import { id, SelfLink, text, WireMoment } from '../../platform/http/shapes.ts'
import { PlanShape, ProductShape } from '../catalog/contract.ts'
import { ChargebackShape } from '../chargebacks/contract.ts'
import { CheckoutShape } from '../checkouts/contract.ts'
import { type EventName, eventNames, eventTypes } from '../events/event-types.ts'
import { OrderShape } from '../orders/contract.ts'
import { RefundShape } from '../refunds/contract.ts'
import { SubscriptionShape } from '../subscriptions/contract.ts'

const Url = text({ max: 2048 })
  .refine((value) => parseHttpUrl(value) !== null, { ...ruleOf('absolute_https_url'), abort: true })
  .refine((value) => !hasUserInfo(value), ruleOf('url_credentials'))
  .refine((value) => !value.includes('#'), ruleOf('url_fragment'))
  .meta({ format: 'uri' })

const Secret = z
  .string()
  .refine(
    (value) => [...value].length >= 10 && value.length <= 500 && value.isWellFormed() && !value.includes('\u0000'),
    ruleOf('characters', { least: 10, most: 500 }),
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
    id: z.string().describe('The id of this endpoint.'),
    resource: z.literal('webhook_endpoint').describe('The type of the resource.'),
    testmode: z.boolean().describe('Whether the endpoint receives the events of test mode.'),
    url: z.string().describe('The HTTPS URL to which events are sent.'),
    enabledEvents: z.array(z.string()).describe('The names of the events that are sent. If empty, no events are sent.'),
    createdAt: WireMoment.describe('When the endpoint was registered.'),
    links: z.object({ self: SelfLink }).describe('Links to related resources.'),
  })
  .meta({ id: 'WebhookEndpoint' })

const whyUpdated = 'Why `subscription.updated` was sent. Null on every other event.'

export const EventFields = z.object({
  id: z.string().describe('The id of this event.'),
  resource: z.literal('webhook_event').describe('The type of the resource.'),
  eventName: z.string().describe('The name of the event, such as `order.paid`.'),
  reason: z
    .enum(['updated_immediately', 'updated_on_renewal', 'renewed', 'change_reverted', 'metadata_changed'])
    .nullable()
    .describe(whyUpdated),
  entityType: z.string().describe('The type of the entity, such as `order`.'),
  entityId: z.string().describe('The id of the entity.'),
  testmode: z.boolean().describe('Whether the event belongs to test mode.'),
  createdAt: WireMoment.describe('When the event was created.'),
  object: z.record(z.string(), z.unknown()).describe('The resource as it was when the event was created.'),
  links: z.object({ self: SelfLink }).describe('Links to related resources.'),
})

/** The resource in an event has the same shape as the response to a GET request for the resource. */
const objectsOf = {
  order: OrderShape,
  refund: RefundShape,
  subscription: SubscriptionShape,
  checkout: CheckoutShape,
  one_off_product: ProductShape,
  subscription_plan: PlanShape,
} as const satisfies Record<(typeof eventTypes)[EventName], z.ZodType>

const objectOf = (name: EventName) =>
  name.startsWith('order.chargeback_') ? ChargebackShape : objectsOf[eventTypes[name]]

const shapeName = (name: string): string =>
  `${name.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`

const eventShape = (name: EventName) =>
  EventFields.extend({
    eventName: z.literal(name).describe('The name of the event.'),
    reason: (name === 'subscription.updated' ? EventFields.shape.reason.unwrap() : z.null()).describe(whyUpdated),
    entityType: z.literal(eventTypes[name]).describe('The type of the entity.'),
    object: objectOf(name).describe(EventFields.shape.object.description ?? ''),
  }).meta({ id: shapeName(name) })

export const eventShapes = Object.fromEntries(eventNames.map((name) => [name, eventShape(name)])) as Record<
  EventName,
  ReturnType<typeof eventShape>
>

const [first, ...others] = eventNames
const WebhookEventShape = z
  .discriminatedUnion('eventName', [eventShapes[first], ...others.map((name) => eventShapes[name])])
  .meta({ id: 'WebhookEvent', description: 'An event. `eventName` determines the shape of `object`.' })

/** The ping that a new endpoint must accept. It has no field `links`, because a ping is not stored. */
export const SetupEventShape = EventFields.omit({ links: true })
  .extend({
    eventName: z.literal('webhook.setup').describe('The name of the event.'),
    reason: z.null().describe(whyUpdated),
    entityType: z.literal('webhook').describe('The type of the entity.'),
    entityId: z.string().describe('The id of the endpoint.'),
    object: z
      .object({
        resource: z.literal('webhook_endpoint').describe('The type of the resource.'),
        id: z.string().describe('The id of the endpoint.'),
        url: z.string().describe('The URL of the endpoint.'),
        testmode: z.boolean().describe('Whether the endpoint receives the events of test mode.'),
      })
      .describe('The endpoint that is checked.'),
  })
  .meta({ id: shapeName('webhook.setup') })

const urlText = 'A public HTTPS URL with a valid certificate. It must be unique in the storefront and mode.'
const secretText = 'The secret that signs the deliveries. No response contains the secret.'

const tag = 'Webhooks'
const params = z.object({ id: id('webhook_') })

export const listWebhookEndpoints = endpoint({
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/v1/webhook-endpoints',
  scope: 'read_only',
  tag,
  summary: 'List webhook endpoints.',
  description: 'Returns the webhook endpoints of the storefront and mode, newest first. At most five exist.',
  query: listQuery({}),
  responses: { 200: listShape(WebhookEndpointShape) },
  refuses: [],
})

export const createWebhookEndpoint = endpoint({
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoints',
  scope: 'no_refunds',
  tag,
  summary: 'Register a webhook endpoint.',
  description:
    'Registers an endpoint after a check: the URL must respond to a signed `webhook.setup` ping with ' +
    '2xx within 10 seconds. The URL must be public, have a valid certificate, and not be registered yet. ' +
    'A storefront can have five endpoints in each mode.',
  body: z.object({
    url: Url.describe(urlText),
    secret: Secret.describe(secretText),
    enabledEvents: EnabledEvents.optional().describe(
      'The names of the events to send. If omitted, all events that exist today. If empty, no events are sent.',
    ),
  }),
  responses: { 201: WebhookEndpointShape },
  refuses: [],
})

export const getWebhookEndpoint = endpoint({
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/v1/webhook-endpoints/{id}',
  scope: 'read_only',
  tag,
  summary: 'Get a webhook endpoint.',
  description: 'Returns a webhook endpoint, without its secret.',
  params,
  responses: { 200: WebhookEndpointShape },
  refuses: ['not_found'],
})

export const updateWebhookEndpoint = endpoint({
  id: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/v1/webhook-endpoints/{id}',
  scope: 'no_refunds',
  tag,
  summary: 'Update a webhook endpoint.',
  description:
    'Changes the URL, the secret or the events. A new URL is checked as at registration. Omitted ' +
    'fields keep their values. An empty body changes nothing.',
  params,
  body: z.object({
    url: Url.optional().describe(urlText),
    secret: Secret.optional().describe(secretText),
    enabledEvents: EnabledEvents.optional().describe(
      'The names of the events to send. Replaces the current names. If empty, no events are sent.',
    ),
  }),
  responses: { 200: WebhookEndpointShape },
  refuses: ['not_found'],
})

const WebhookPingShape = z
  .object({
    delivered: z.boolean().describe('Whether the receiver responded with 2xx.'),
    status: z.int().nullable().describe('The status of the response; null without a response.'),
    durationMs: z.int().describe('How long the request took, in milliseconds.'),
    error: z.string().nullable().describe('Why there was no response, as a sentence; null with a response.'),
  })
  .meta({ id: 'WebhookPing' })

export const pingWebhookEndpoint = endpoint({
  id: 'pingWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoints/{id}/ping',
  scope: 'no_refunds',
  tag,
  summary: 'Ping a webhook endpoint.',
  description:
    'Sends a signed `webhook.setup` event to the URL of the endpoint again, and returns the response ' +
    'of the receiver within 10 seconds. The status is 200 even if the receiver is down. The ping is ' +
    'not stored and not repeated.',
  params,
  responses: { 200: WebhookPingShape },
  refuses: ['not_found'],
})

export const deleteWebhookEndpoint = endpoint({
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/v1/webhook-endpoints/{id}',
  scope: 'no_refunds',
  tag,
  summary: 'Delete a webhook endpoint.',
  description: 'Deletes an endpoint. Deliveries to it stop at once.',
  params,
  responses: { 204: null },
  refuses: ['not_found'],
})

export const listWebhookEvents = endpoint({
  id: 'listWebhookEvents',
  method: 'GET',
  path: '/v1/webhook-events',
  scope: 'read_only',
  tag,
  summary: 'List webhook events.',
  description:
    'Returns the events of the storefront and mode, newest first. Each event equals the body of its delivery. ' +
    'The operator configures how long events are kept.',
  query: listQuery({
    eventName: z.enum(eventNames).optional().describe('Only the events with this name.'),
    entityId: text({ min: 1, max: 100 }).optional().describe('Only the events about the resource with this id.'),
    ...createdFilters,
  }),
  responses: { 200: listShape(WebhookEventShape) },
  refuses: [],
})

export const getWebhookEvent = endpoint({
  id: 'getWebhookEvent',
  method: 'GET',
  path: '/v1/webhook-events/{id}',
  scope: 'read_only',
  tag,
  summary: 'Get a webhook event.',
  description: 'Returns an event exactly as it is delivered.',
  params: z.object({ id: id('webhook_event_') }),
  responses: { 200: WebhookEventShape },
  refuses: ['not_found'],
})
