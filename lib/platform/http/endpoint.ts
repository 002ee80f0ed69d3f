import type { z } from 'zod'
import { type KeyScope, keyScopes, scopesThatInclude } from '../../kernel/key-scope.ts'
import { type RefusalCode, refusals } from '../../kernel/refusal.ts'
import type { RuleProblem } from '../../kernel/rule-problem.ts'

/** Parsing, types, status codes, and the OpenAPI document are derived from this definition of an API endpoint. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path with `{id}` placeholders. Idempotency keys are scoped by this path. */
  readonly path: `/v1/${string}`
  /** The minimum scope: `read_only` if the endpoint changes nothing, `full` if it refunds money, and otherwise `no_refunds`. */
  readonly scope: KeyScope
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /**
   * Validates combinations of fields. Returns one problem per invalid field. `body` may be malformed, because the
   * function is called even if single fields are invalid.
   */
  readonly validateCombination?: (
    body: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, string | RuleProblem>>
  /** Success statuses with their body; null for 204. */
  readonly responses: Readonly<Partial<Record<200 | 201 | 204, z.ZodType | null>>>
  readonly refuses: readonly RefusalCode[]
  readonly testOnly?: boolean
  /** Whether the response contains a secret. If so, the result is stored in place of the response, and a retry renders the response from the stored result. */
  readonly hasSecret?: boolean
}

export const endpoint = <Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  definition: Endpoint<Params, Query, Body>,
): Endpoint<Params, Query, Body> => definition

/** Whether the endpoint changes nothing, which is possible even for a POST. A read-only endpoint ignores the header `Idempotency-Key`. */
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
