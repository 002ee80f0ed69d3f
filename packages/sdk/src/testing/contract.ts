import json from '../generated/contract.json' with { type: 'json' }
import type { ApiError, Operations, WebhookEvent } from '../generated/operations.ts'

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

export interface TestCall {
  id: keyof Operations
  /** Path parameters, such as `{ id: 'order_…' }`. */
  params: Record<string, string>
  query: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: a test compares it with the body that it expects
  body: any
  headers: Headers
}

export interface Answer {
  status?: number
  body?: unknown
  headers?: Record<string, string>
}

export const operations = json.operations as unknown as readonly Operation[]

export const events = json.webhooks as unknown as {
  [Name in WebhookEvent['eventName']]: Extract<WebhookEvent, { eventName: Name }>
}

export const errorBody = (code: ApiError['code'], message: string, errors?: ApiError['errors']): ApiError => ({
  message,
  code,
  requestId: 'request_of_the_test_server',
  ...(errors && { errors }),
})
