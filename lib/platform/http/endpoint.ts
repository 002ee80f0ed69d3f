import type { z } from 'zod'
import { type KeyScope, keyScopes, scopesThatInclude } from '../../kernel/key-scope.ts'
import { type RefusalCode, refusals } from '../../kernel/refusal.ts'

/** An API endpoint as a value. Parsing, types, status codes, and the OpenAPI document are derived from it. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `{id}` placeholders. It is also the route template that scopes an idempotency key. */
  readonly path: `/v1/${string}`
  /** The lowest scope that may use the endpoint: `read_only` if it changes nothing, `full` if it returns money. */
  readonly scope: KeyScope
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** One sentence by field. It is called even if other fields are invalid, so it must accept a malformed body. */
  readonly validateCombination?: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>
  /** Success statuses with the shape of the body; null for 204. An operation with two outcomes has two statuses. */
  readonly responses: Readonly<Partial<Record<200 | 201 | 204, z.ZodType | null>>>
  readonly refuses: readonly RefusalCode[]
  readonly testOnly?: boolean
  /** The response has a secret that is not stored: a repeated response is rendered from the stored result. */
  readonly hasSecret?: boolean
}

export const endpoint = <Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  definition: Endpoint<Params, Query, Body>,
): Endpoint<Params, Query, Body> => definition

/** Whether a call only reads. Such a call needs no idempotency key and ignores one, also a POST with a body. */
export const onlyReads = ({ scope }: Pick<Endpoint, 'scope'>): boolean => scope === 'read_only'

const commonRefusals: readonly RefusalCode[] = [
  'validation_failed', // Every call refuses an unknown query parameter.
  'unauthenticated',
  'rate_limited',
  'internal',
  'unavailable',
]
export const bodyRefusals: readonly RefusalCode[] = [
  'malformed_json',
  'not_an_object',
  'body_too_large',
  'unsupported_media_type',
]
const idempotencyRefusals: readonly RefusalCode[] = [
  'idempotency_mismatch',
  'idempotency_in_progress',
  'idempotency_answer_lost',
]

export function refusalsOf(endpoint: Endpoint): RefusalCode[] {
  const { method, scope, refuses } = endpoint
  const all: RefusalCode[] = [
    ...commonRefusals,
    ...(isForEveryScope(scope) ? [] : (['insufficient_scope'] as const)),
    ...(method === 'GET' ? [] : bodyRefusals),
    ...(onlyReads(endpoint) ? [] : idempotencyRefusals),
    ...refuses,
  ]
  return [...new Set(all)].sort((a, b) => refusals[a].status - refusals[b].status || a.localeCompare(b))
}

export const isForEveryScope = (needed: KeyScope) => scopesThatInclude(needed).length === keyScopes.length
