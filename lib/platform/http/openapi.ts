import { z } from 'zod'
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
        'Merchant of record for software sold in Europe. Timestamps are ISO 8601 in UTC, amounts decimal strings, ids carry a type prefix. ' +
        'Send Idempotency-Key on POST, PATCH and DELETE: answers are kept for 24 hours. The key stays free after 400, 401, 403, 413, 415, 429, 5xx ' +
        'and validation_failed: a corrected body may use it. A 5xx promises nothing about the change; the same request under the same key does.',
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    paths: sorted(paths),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key that begins with test_ or live_: it selects the mode.',
        },
      },
      headers: {
        'Request-Id': { schema: { type: 'string' }, description: 'Names this request in our logs.' },
        'RateLimit-Limit': { schema: { type: 'integer' }, description: 'Requests a minute.' },
        'RateLimit-Remaining': { schema: { type: 'integer' }, description: 'Requests that would be accepted at once.' },
        'RateLimit-Reset': { schema: { type: 'integer' }, description: 'Seconds until the whole burst is free again.' },
      },
      schemas: sorted(schemas),
    },
  }
}

/** What an endpoint may refuse: its own refusals, and those common to all endpoints with its method and input. */
export function refusalsOf({ method, query, refuses }: Endpoint): RefusalCode[] {
  const writes = method !== 'GET'
  const all: RefusalCode[] = [
    ...commonRefusals,
    ...(writes ? [...bodyRefusals, ...idempotencyRefusals] : []),
    ...(query ? (['validation_failed'] as const) : []),
    ...refuses,
  ]
  return [...new Set(all)].sort((a, b) => refusals[a].status - refusals[b].status || a.localeCompare(b))
}

function operation(endpoint: Endpoint, schemas: Json): Json {
  const { id, tag, summary, body, validateCombination } = endpoint
  const isWrongEmpty = body?.safeParse({}).success === false || Object.keys(validateCombination?.({}) ?? {}).length > 0
  const required = body !== undefined && isWrongEmpty
  return {
    operationId: id,
    tags: [tag],
    summary,
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
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema,
    }))
  }
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Repeating a request under its key returns the first answer, with Idempotent-Replayed: true.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  }
  return [...fields(params, 'path'), ...fields(query, 'query'), ...(method === 'GET' ? [] : [key])]
}

const headerNames = ['Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
const headers = Object.fromEntries(headerNames.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const titles: Record<string, string> = { 200: 'OK', 201: 'Created', 204: 'Done; no body' }

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
      message: { type: 'string' },
      code: { type: 'string', enum: Object.keys(refusals).sort() },
      requestId: { type: 'string' },
      details: {
        type: 'object',
        description: 'What a program may want to know beside the code.',
        additionalProperties: true,
      },
      errors: {
        type: 'object',
        description: 'Sentences by field: dot paths with array indexes, such as products.0.id.',
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
  // Answers may gain fields later: clients that are generated from this document must accept them.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  // A value that is text in the URL but a number or boolean to the client: the pattern applies to the text only.
  if (jsonSchema.type !== 'string') delete jsonSchema.pattern
  // zod omits the default of a shape that is transformed.
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
