import type { z } from 'zod'
import { type KeyScope, keyScopes } from '../../kernel/key-scope.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { type Endpoint, refusalsOf } from './endpoint.ts'
import { type ExampleCall, json, operation } from './openapi-operation.ts'
import { type Json, schemaOf } from './openapi-schema.ts'

export interface Webhook {
  readonly name: string
  readonly summary: string
  readonly payload: z.ZodType
}

export interface Api {
  readonly endpoints: readonly Endpoint[]
  readonly tags?: Readonly<Record<string, string>>
  readonly webhooks?: readonly Webhook[]
  readonly examples?: Examples
}

export interface Examples {
  readonly calls: Readonly<Record<string, ExampleCall>>
  readonly webhooks: Readonly<Record<string, unknown>>
}

interface Place {
  readonly baseUrl: string
  readonly version: string
  /** The contact for this installation. `email` is null if the operator has not set it. */
  readonly contact: { readonly name: string; readonly email: string | null }
}

/** Every status, error code, and limit in the document comes from the endpoints. */
export function openApi(api: Api, place: Place): Json {
  const { endpoints, tags = {}, webhooks = [], examples } = api
  const schemas: Record<string, unknown> = { ApiError: errorSchema(endpoints) }
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = paths[endpoint.path] ?? {}
    const described = operation(endpoint, schemas, examples?.calls[endpoint.id])
    paths[endpoint.path] = { ...path, [endpoint.method.toLowerCase()]: described }
  }
  const sent = webhooks.map((each) => [each.name, webhook(each, schemas, examples?.webhooks[each.name])])
  return {
    openapi: '3.1.0',
    info: info(place),
    servers: [{ url: place.baseUrl, description: 'This installation of Billhook.' }],
    security: keyScopes.map((scope) => ({ [scope]: [] })),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: sorted(paths),
    webhooks: Object.fromEntries(sent),
    components: { securitySchemes, headers, schemas: sorted(schemas) },
  }
}

const info = ({ version, baseUrl, contact: { name, email } }: Place): Json => ({
  title: 'Billhook',
  version,
  description:
    'Billhook is a merchant of record for software sold in Europe. A timestamp is an ISO 8601 string ' +
    'in UTC, an amount is a decimal string, and an id begins with the prefix of its type. Send ' +
    '`Idempotency-Key` on POST, PATCH and DELETE to repeat a request safely: responses are kept for ' +
    '24 hours. After 400, 401, 403, 413, 415, 429 and `validation_failed`, you can retry with the same key ' +
    'and a corrected body. After a 5xx response, retry with the same key and the same body.',
  license: { name: 'GNU Affero General Public License v3.0 only', identifier: 'AGPL-3.0-only' },
  contact: { name, url: baseUrl, ...(email !== null && { email }) },
})

const apiKey = (allows: string) => ({
  type: 'http',
  scheme: 'bearer',
  description:
    `An API key of a storefront with a scope that allows ${allows}. A key begins with \`test_\` or \`live_\`, which selects the mode. ` +
    'The scope of a key is chosen when the key is issued.',
})

const securitySchemes: Readonly<Record<KeyScope, Json>> = {
  full: apiKey('every operation'),
  no_refunds: apiKey('everything but refunds and payouts'),
  read_only: apiKey('reading'),
}

const header = (type: 'string' | 'integer', description: string, values: Json = {}) => ({
  schema: { type, ...values },
  description,
})

const headers = {
  'Request-Id': header('string', 'The id of this request, as in the logs of the service.'),
  'RateLimit-Limit': header(
    'integer',
    'The number of requests that are allowed per minute. This header and the two following headers ' +
      'are absent if there is no limit.',
  ),
  'RateLimit-Remaining': header('integer', 'The number of requests that the service would accept now.'),
  'RateLimit-Reset': header('integer', 'The seconds until the maximum number of requests can be sent at once again.'),
  'Retry-After': header('integer', 'The seconds to wait before a retry. Absent if waiting does not help.', {
    minimum: 0,
  }),
  'Idempotent-Replayed': header(
    'string',
    'Present if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    { const: 'true' },
  ),
  'Ignored-Fields': header(
    'string',
    'The body fields that the operation does not know, as dot paths, comma-separated. Absent if it knows all of them.',
  ),
  'WWW-Authenticate': header('string', 'The scheme of authentication.', { const: 'Bearer' }),
}

function webhook({ name, summary, payload }: Webhook, schemas: Json, example: unknown): Json {
  const signed = ['Service-Signature', 'Service-Event-Id'].map((each) => ({
    name: each,
    in: 'header',
    required: true,
    ...signatureHeaders[each],
  }))
  return {
    post: {
      operationId: webhookId(name),
      tags: ['Webhooks'],
      summary,
      description: 'Verify the signature before you read the body. Respond with 2xx within the time limit.',
      security: [],
      parameters: signed,
      requestBody: { required: true, content: json(schemaOf(payload, 'output', schemas), example) },
      responses: {
        '2XX': { description: 'The event is received.' },
        '410': { description: 'The endpoint becomes dormant: it gets no further events.' },
        default: { description: 'The event is sent again later.' },
      },
    },
  }
}

const signatureHeaders: Readonly<Record<string, Json>> = {
  'Service-Signature': {
    description:
      '`t=<unix seconds>,v1=<hex>`: `v1` is the HMAC-SHA256 over `<t>.<raw body>` with the secret of ' +
      'the endpoint. For 24 hours after a change of the secret, the header has two `v1` values, first ' +
      'the value of the new secret. Accept the request if one of the values matches.',
    schema: { type: 'string', pattern: '^t=[0-9]+(,v1=[0-9a-f]{64}){1,2}$' },
  },
  'Service-Event-Id': {
    description: 'The id of the event, the same for every attempt.',
    schema: { type: 'string', pattern: '^webhook_event_[0-9A-Za-z]{22}$' },
  },
}

/** Returns the operation id of a webhook, such as `receiveOrderPaid` for `order.paid`. */
const webhookId = (name: string): string =>
  `receive_${name}`.replaceAll(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase())

const refusalsOfPaths = ['endpoint_not_found', 'method_not_allowed'] as const satisfies readonly RefusalCode[]

/** The error codes of the API. Other codes occur only on pages and on the command line. */
const publicRefusals = (endpoints: readonly Endpoint[]): RefusalCode[] =>
  [...new Set<RefusalCode>([...refusalsOfPaths, ...endpoints.flatMap(refusalsOf)])].sort()

const errorSchema = (endpoints: readonly Endpoint[]): Json => ({
  type: 'object',
  description: 'The body of every error response.',
  required: ['message', 'code', 'requestId'],
  properties: {
    message: { type: 'string', description: 'A message for people.' },
    code: { type: 'string', description: 'A stable code for programs.', enum: publicRefusals(endpoints) },
    requestId: { type: 'string', description: 'The id of this request, as in the header `Request-Id`.' },
    details: {
      type: 'object',
      description: 'More information for programs.',
      additionalProperties: true,
    },
    errors: {
      type: 'object',
      description:
        'The violated rules, as messages by field. A field is a dot path with array indexes, such as ' +
        '`products.0.id`.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
})

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b)))
