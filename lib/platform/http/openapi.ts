import { z } from 'zod'
import { type KeyScope, keyScopes, scopesThatInclude } from '../../kernel/key-scope.ts'
import { type RefusalCode, refusals } from '../../kernel/refusal.ts'
import { bodyRefusals, commonRefusals, type Endpoint, idempotencyRefusals } from './endpoint.ts'

type Json = Record<string, unknown>

/**
 * Builds the OpenAPI 3.1 document of a set of endpoints. Every status, error code and limit comes from the endpoint
 * values.
 */
export function openApi(
  endpoints: readonly Endpoint[],
  { baseUrl, version }: { baseUrl: string; version: string },
): Json {
  const schemas: Record<string, unknown> = { Error: errorSchema() }
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = paths[endpoint.path] ?? {}
    paths[endpoint.path] = { ...path, [endpoint.method.toLowerCase()]: operation(endpoint, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Billhook',
      version,
      description:
        'Billhook is a merchant of record for software sold in Europe. A timestamp is an ISO 8601 string in UTC, an amount is a decimal string, ' +
        'and an id begins with the prefix of its type. Send `Idempotency-Key` on POST, PATCH and DELETE to repeat a request safely: answers are ' +
        'kept for 24 hours. A key stays free after 400, 401, 403, 413, 415, 429, 5xx and `validation_failed`, so a corrected body can use it. ' +
        'After a 5xx it is not certain whether the change was made. Repeat the request under the same key to find out.',
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    paths: sorted(paths),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of a storefront. It begins with `test_` or `live_`, which selects the mode. A key has a scope, which is chosen when the key is ' +
            'issued: `full`; `no_refunds`, everything but refunds and payouts; or `read_only`. Each operation lists, under `security`, the scopes whose ' +
            'keys may use it.',
        },
      },
      headers: {
        'Request-Id': {
          schema: { type: 'string' },
          description: 'The id of this request, as in the logs of the service.',
        },
        'RateLimit-Limit': {
          schema: { type: 'integer' },
          description: 'How many requests a minute are allowed. Absent, with the two below, if there is no limit.',
        },
        'RateLimit-Remaining': { schema: { type: 'integer' }, description: 'How many requests would be accepted now.' },
        'RateLimit-Reset': {
          schema: { type: 'integer' },
          description: 'Seconds until a whole burst is available again.',
        },
      },
      schemas: sorted(schemas),
    },
  }
}

/** The refusals of an endpoint: its own, and those common to all endpoints with its method and input. */
export function refusalsOf({ method, scope, refuses }: Endpoint): RefusalCode[] {
  const writes = method !== 'GET'
  const all: RefusalCode[] = [
    ...commonRefusals,
    ...(isForEveryScope(scope) ? [] : (['insufficient_scope'] as const)),
    ...(writes ? [...bodyRefusals, ...idempotencyRefusals] : []),
    ...refuses,
  ]
  return [...new Set(all)].sort((a, b) => refusals[a].status - refusals[b].status || a.localeCompare(b))
}

const isForEveryScope = (needed: KeyScope) => scopesThatInclude(needed).length === keyScopes.length

/**
 * Adds in words which keys may use an operation. `security` has the same for programs: each entry is an alternative.
 */
function scoped(description: string, needed: KeyScope): string {
  if (isForEveryScope(needed)) return description
  const scopes = scopesThatInclude(needed).map((scope) => `\`${scope}\``)
  return `${description} Needs an API key with the scope ${scopes.join(' or ')}.`
}

function operation(endpoint: Endpoint, schemas: Json): Json {
  const { id, tag, summary, description, scope, body, validateCombination } = endpoint
  const isWrongEmpty = body?.safeParse({}).success === false || Object.keys(validateCombination?.({}) ?? {}).length > 0
  const required = body !== undefined && isWrongEmpty
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: scoped(description, scope),
    security: scopesThatInclude(scope).map((each) => ({ apiKey: [each] })),
    parameters: parameters(endpoint, schemas),
    ...(body && { requestBody: { required, content: json(schemaOf(body, 'input', schemas)) } }),
    responses: { ...successes(endpoint, schemas), ...refused(endpoint) },
  }
}

function parameters({ method, params, query }: Endpoint, schemas: Json): Json[] {
  const fields = (shape: z.ZodType | undefined, place: 'path' | 'query') => {
    const { properties = {}, required = [] } = (shape ? schemaOf(shape, 'input', schemas) : {}) as {
      properties?: Json
      required?: string[]
    }
    return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      description,
      schema,
    }))
  }
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A key of your choice. A repetition of the request under the same key returns the first answer, with `Idempotent-Replayed: true`.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  }
  return [...fields(params, 'path'), ...fields(query, 'query'), ...(method === 'GET' ? [] : [key])]
}

const headerNames = ['Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
const headers = Object.fromEntries(headerNames.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const titles: Record<string, string> = { 200: 'Success.', 201: 'Created.', 204: 'Success, without a body.' }

const successes = ({ responses }: Endpoint, schemas: Json): Json =>
  Object.fromEntries(
    Object.entries(responses).map(([status, shape]) => [
      status,
      { description: titles[status], headers, ...(shape && { content: json(schemaOf(shape, 'output', schemas)) }) },
    ]),
  )

function refused(endpoint: Endpoint): Json {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of refusalsOf(endpoint)) {
    const { status } = refusals[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${refusals[code].message}`).join('\n\n'),
        headers,
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    ]),
  )
}

function errorSchema(): Json {
  return {
    type: 'object',
    required: ['message', 'code', 'requestId'],
    properties: {
      message: { type: 'string', description: 'A sentence for a person.' },
      code: { type: 'string', description: 'A stable code for a program.', enum: Object.keys(refusals).sort() },
      requestId: { type: 'string', description: 'The id of this request, as in the header `Request-Id`.' },
      details: {
        type: 'object',
        description: 'More information for a program.',
        additionalProperties: true,
      },
      errors: {
        type: 'object',
        description:
          'The broken rules, as sentences by field. A field is a dot path with array indexes, such as `products.0.id`.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    },
  }
}

const json = (schema: unknown): Json => ({ 'application/json': { schema } })

/** Renders a shape as JSON Schema. Named shapes move to the components, where each name has one meaning. */
function schemaOf(shape: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _,
    $defs = {},
    ...schema
  } = z.toJSONSchema(shape, { io, unrepresentable: 'any', override: forClients }) as Json & { $defs?: Json }
  for (const [name, definition] of Object.entries($defs)) schemas[name] = withoutId(relinked(definition))
  // A shape with a name of its own is rendered as a reference to its definition.
  return relinked(schema) as Json
}

interface Rendered {
  zodSchema: z.core.$ZodType
  jsonSchema: z.core.JSONSchema.BaseSchema
}

/** Adjusts zod's rendering of a shape for API clients. */
function forClients({ zodSchema, jsonSchema }: Rendered): void {
  // Responses may gain fields later, and clients generated from this document must accept them.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  // A value is text in the URL but a number or boolean to the client. The pattern applies only to the text.
  if (jsonSchema.type !== 'string') delete jsonSchema.pattern
  // zod omits the default of a shape with a transform.
  const { default: named } = z.globalRegistry.get(zodSchema) ?? {}
  if (named !== undefined) jsonSchema.default = named as typeof jsonSchema.default
}

const withoutId = (schema: unknown): unknown => {
  const { id: _, ...rest } = schema as Json
  return rest
}

const relinked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'))

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b)))
