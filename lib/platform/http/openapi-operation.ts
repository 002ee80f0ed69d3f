import type { z } from 'zod'
import { type KeyScope, scopesThatInclude } from '../../kernel/key-scope.ts'
import { type RefusalCode, refusals } from '../../kernel/refusal.ts'
import { type Endpoint, isForEveryScope, onlyReads, refusalsOf } from './endpoint.ts'
import { type Json, schemaOf } from './openapi-schema.ts'

export interface ExampleCall {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly request?: unknown
  readonly status: number
  readonly response?: unknown
}

export function operation(endpoint: Endpoint, schemas: Json, example?: ExampleCall): Json {
  const { id, tag, summary, description, scope, body, validateCombination } = endpoint
  const isWrongEmpty = body?.safeParse({}).success === false || Object.keys(validateCombination?.({}) ?? {}).length > 0
  const required = body !== undefined && isWrongEmpty
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: scoped(description, scope),
    security: scopesThatInclude(scope).map((each) => ({ [each]: [] })),
    parameters: parameters(endpoint, schemas, example),
    ...(body && { requestBody: { required, content: json(schemaOf(body, 'input', schemas), example?.request) } }),
    responses: { ...successes(endpoint, schemas, example), ...refused(endpoint) },
  }
}

/** Adds the required scopes to the description. The field `security` lists the scopes for programs. */
function scoped(description: string, needed: KeyScope): string {
  if (isForEveryScope(needed)) return description
  const scopes = scopesThatInclude(needed).map((scope) => `\`${scope}\``)
  return `${description} Needs an API key with the scope ${scopes.join(' or ')}.`
}

function parameters(endpoint: Endpoint, schemas: Json, example?: ExampleCall): Json[] {
  const { params, query } = endpoint
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
      ...(example?.[place]?.[name] !== undefined && { example: example[place][name] }),
    }))
  }
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A key of your choice. A retry with the same key returns the first response, with ' +
      '`Idempotent-Replayed: true`.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  }
  return [...fields(params, 'path'), ...fields(query, 'query'), ...(onlyReads(endpoint) ? [] : [key])]
}

const everywhere = ['Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** After these statuses, a retry of the same request may succeed. */
const temporary = [409, 429, 503]

function headersOf(endpoint: Endpoint, status: number): Json {
  const names = [
    ...everywhere,
    ...(onlyReads(endpoint) ? [] : ['Idempotent-Replayed']),
    ...(endpoint.body ? ['Ignored-Fields'] : []),
    ...(temporary.includes(status) ? ['Retry-After'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const titles: Record<string, string> = { 200: 'Success.', 201: 'Created.', 204: 'Success, without a body.' }

const successes = (endpoint: Endpoint, schemas: Json, example?: ExampleCall): Json =>
  Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, shape]) => {
      const shown = example?.status === Number(status) ? example.response : undefined
      const content = shape && { content: json(schemaOf(shape, 'output', schemas), shown) }
      return [status, { description: titles[status], headers: headersOf(endpoint, Number(status)), ...content }]
    }),
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
        headers: headersOf(endpoint, status),
        content: json({ $ref: '#/components/schemas/ApiError' }),
      },
    ]),
  )
}

export const json = (schema: unknown, example?: unknown): Json => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})
