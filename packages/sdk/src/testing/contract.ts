import json from '../generated/contract.json' with { type: 'json' }
import type { ApiError, Operations, WebhookEvent } from '../generated/operations.ts'

/** A JSON schema, as @cfworker/json-schema takes it. */
export type Schema = Record<string, unknown>

export interface Operation {
  id: keyof Operations
  method: string
  path: string
  query: Record<string, Schema>
  body: Schema | null
  isBodyRequired: boolean
  takesKey: boolean
  isList: boolean
  status: number
  example: unknown
}

/** A request that named an operation and passed its checks. */
export interface TestCall {
  id: keyof Operations
  /** The values of the path, such as `{ id: 'order_…' }`. */
  params: Record<string, string>
  query: Record<string, string>
  /** The parsed JSON; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test compares it with the body that it expects
  body: any
  headers: Headers
}

export interface Answer {
  status?: number
  /** For an error, `code` is enough. */
  body?: unknown
  headers?: Record<string, string>
}

export const operations = json.operations as unknown as readonly Operation[]

export const events = json.webhooks as unknown as {
  [Name in WebhookEvent['eventName']]: Extract<WebhookEvent, { eventName: Name }>
}

/** The body of an error. */
export const errorBody = (code: ApiError['code'], message: string, errors?: ApiError['errors']): ApiError => ({
  message,
  code,
  requestId: 'request_of_the_test_server',
  ...(errors && { errors }),
})
