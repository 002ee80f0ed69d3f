import type { z } from 'zod'
import type { RefusalCode } from '../../kernel/refusal.ts'

/**
 * One endpoint of the interface as a value: parsing, types, status codes and the OpenAPI document all come from it.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `{id}` placeholders; also the route template that scopes an idempotency key. */
  readonly path: `/v1/${string}`
  readonly tag: string
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /**
   * What is wrong in fields of the body taken together: a sentence by field. Asked whatever else is wrong, so it reads what was sent,
   * well-formed or not.
   */
  readonly validateCombination?: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>
  /** Status of success, with the shape of the body; null for 204. A second one where the operation has two outcomes. */
  readonly responses: Readonly<Partial<Record<200 | 201 | 204, z.ZodType | null>>>
  readonly refuses: readonly RefusalCode[]
  readonly testOnly?: boolean
}

export const endpoint = <Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  definition: Endpoint<Params, Query, Body>,
): Endpoint<Params, Query, Body> => definition

/** What every endpoint may answer beside its own refusals. */
export const commonRefusals: readonly RefusalCode[] = ['unauthenticated', 'rate_limited', 'internal', 'unavailable']
export const bodyRefusals: readonly RefusalCode[] = [
  'malformed_json',
  'not_an_object',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
]
export const idempotencyRefusals: readonly RefusalCode[] = ['idempotency_mismatch', 'idempotency_in_progress']
