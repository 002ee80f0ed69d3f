import type { z } from 'zod'
import type { KeyScope } from '../../kernel/key-scope.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'

/** An API endpoint as a value: parsing, types, status codes and the OpenAPI document are all derived from it. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `{id}` placeholders. It is also the route template that scopes an idempotency key. */
  readonly path: `/v1/${string}`
  /** The least scope of an API key that may use it: `read_only` where nothing is changed, `full` where money is returned. */
  readonly scope: KeyScope
  readonly tag: string
  readonly summary: string
  /** What the operation does, which events it sends, and when it refuses. */
  readonly description: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /**
   * Validates fields of the body in combination: one sentence by field. Called even if other fields are invalid, so it
   * must accept a body that is not well-formed.
   */
  readonly validateCombination?: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>
  /** Success statuses with the shape of the body; null for 204. There are two if the operation has two outcomes. */
  readonly responses: Readonly<Partial<Record<200 | 201 | 204, z.ZodType | null>>>
  readonly refuses: readonly RefusalCode[]
  readonly testOnly?: boolean
  /**
   * The answer has a secret, which is stored nowhere: under an idempotency key the operation's result is stored, and a
   * repeated answer is rendered from it again.
   */
  readonly hasSecret?: boolean
}

export const endpoint = <Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  definition: Endpoint<Params, Query, Body>,
): Endpoint<Params, Query, Body> => definition

/** The refusals of every endpoint, in addition to its own. */
export const commonRefusals: readonly RefusalCode[] = [
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
export const idempotencyRefusals: readonly RefusalCode[] = [
  'idempotency_mismatch',
  'idempotency_in_progress',
  'idempotency_answer_lost',
]
