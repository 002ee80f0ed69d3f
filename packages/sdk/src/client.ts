import { type Operations, operations } from './generated/operations.ts'
import { listOf } from './list.ts'
import { type Call, send, type TransportOptions } from './transport.ts'
import type { Page, WriteOptions } from './types.ts'

export type BillhookOptions = TransportOptions

export interface RawRequest extends WriteOptions {
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
}

export interface Billhook extends Operations {
  /** Calls an operation that this version of the SDK does not know. */
  request(method: string, path: string, request?: RawRequest): Promise<unknown>
}

/** Creates a client for the storefront and the mode of the API key. Sends no request before the first call. */
export function createBillhook(options: BillhookOptions): Billhook {
  const request: Billhook['request'] = (method, path, raw = {}) =>
    send(options, method, path, { ...raw, idempotencyKey: keyOf(raw, method !== 'GET') })
  const methods = Object.entries(operations).map(([id, operation]) => [id, methodOf(options, operation)])
  return { request, ...Object.fromEntries(methods) }
}

const keyOf = ({ idempotencyKey }: WriteOptions, isNeeded: boolean): string | null =>
  isNeeded ? (idempotencyKey ?? crypto.randomUUID()) : null

/** Returns the method for an operation. For example, `PATCH /v1/customers/{id} body key` becomes a method with an id, a body, and options. */
function methodOf(options: TransportOptions, operation: string) {
  const [method = '', template = '', ...flags] = operation.split(' ')
  const names = template.match(/\{\w+\}/g) ?? []
  const has = (flag: string) => flags.includes(flag)

  return (...given: unknown[]) => {
    const path = names.reduce((text, name, index) => text.replace(name, segment(name, given[index])), template)
    const [input, last] = has('query') || has('body') ? given.slice(names.length) : [undefined, given[names.length]]
    const own = (last ?? {}) as WriteOptions
    const call: Call = {
      ...own,
      idempotencyKey: keyOf(own, has('key')),
      body: has('body') ? input : undefined,
      query: has('query') ? ((input ?? {}) as Call['query']) : undefined,
    }
    if (!has('list')) return send(options, method, path, call)
    const read = (query: Call['query']) => send(options, method, path, { ...call, query }) as Promise<Page<unknown>>
    return listOf(read, call.query ?? {})
  }
}

/** Throws a TypeError if an id is empty, because the path without an id requests a list instead of one resource. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`The ${name.slice(1, -1)} is empty.`)
  return encodeURIComponent(value)
}
