import path from 'node:path'
import { expect } from 'vitest'
import type { Endpoint } from '../platform/http/endpoint.ts'
import type { ExampleCall } from '../platform/http/openapi-operation.ts'
import { endpoints, send } from './api.ts'

/** This file records API calls for the OpenAPI document. The first recorded call of each operation is its example. */

interface Sent {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly request?: object
}

// biome-ignore lint/suspicious/noExplicitAny: a story reads responses of every shape
type Call = (operationId: string, sent?: Sent) => Promise<any>

export interface Recorder {
  readonly key: string
  readonly call: Call
  readonly calls: Record<string, ExampleCall>
}

export function recorderOf(key: string): Recorder {
  const calls: Record<string, ExampleCall> = {}
  const byId = new Map<string, Endpoint>([...endpoints.values()].map((endpoint) => [endpoint.id, endpoint]))
  const call: Call = async (operationId, sent = {}) => {
    const endpoint = byId.get(operationId)
    if (!endpoint) throw new Error(`no operation is called ${operationId}`)
    const address = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => sent.path?.[name] ?? '')
    const query = new URLSearchParams(Object.entries(sent.query ?? {}).map(([name, value]) => [name, String(value)]))
    const line = `${endpoint.method} ${address}${query.size > 0 ? `?${query}` : ''}`
    const { status, body } = await send(line, { key, ...(sent.request && { body: sent.request }) })
    expect(status, `${line} ${JSON.stringify(body)}`).toBeLessThan(300)
    calls[operationId] ??= { ...sent, status, ...(body !== undefined && { response: body }) }
    return body
  }
  return { key, call, calls }
}

export const examplesFile = path.resolve('app/v1/examples.json')
