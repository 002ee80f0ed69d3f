import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { refusals } from '../kernel/refusal.ts'
import { bodyRefusals, type Endpoint, refusalsOf } from '../platform/http/endpoint.ts'
import { notRouted } from '../platform/http/keyless.ts'
import { type RouteFile, router } from '../server/router.ts'
import { decodable } from '../server/web.ts'
import { complaintAbout } from './complaints.ts'
import { heldAgainst } from './openapi-document.ts'
import type { Reply } from './shop.ts'

/** The API as a merchant's program uses it: every route file below app/v1, behind the router of the server. */

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, 'app/v1')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => path.basename(file) === 'route.ts',
)
const routeFiles = files.map(async (file): Promise<RouteFile> => {
  return { path: path.posix.join('/v1', path.posix.dirname(file)), methods: await import(path.join(folder, file)) }
})
export const routes = await Promise.all(routeFiles)
const match = router(routes)

const listed: { endpoints: Endpoint[] } = await import(path.join(root, 'app/v1/endpoints.ts'))

/** Every endpoint, by its method and the folder of its route, such as `PATCH /v1/customers/[id]`. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  listed.endpoints.map((endpoint) => [
    `${endpoint.method} ${endpoint.path.replaceAll('{', '[').replaceAll('}', ']')}`,
    endpoint,
  ]),
)

const holdsDocument = heldAgainst(listed.endpoints)

export interface Sent {
  key?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}

/**
 * Sends a request, such as `send('GET /v1/orders?limit=2', { key })`, and checks the response: no 5xx, the headers, and
 * the shape in the contract. Also checks the response, and the request if it was accepted, against the OpenAPI
 * document.
 */
export async function send(line: string, { key, body, headers = {} }: Sent = {}): Promise<Reply> {
  const [method = '', address = ''] = line.split(/ (.*)/s)
  const target = decodable(address)
  const pathname = target.split('?', 1)[0] ?? ''
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream
  const request = new Request(`http://billhook.test${target}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? (body as BodyInit) : JSON.stringify(body), duplex: 'half' }),
  })
  const { found, ...matched } = match(method, pathname)
  const params = 'params' in matched ? matched.params : {}
  const response = found
    ? await found(request, { params: Promise.resolve(params) })
    : await notRouted(request, 'allow' in matched ? matched.allow : [])
  const text = await response.text()
  const reply = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
  const endpoint = found ? endpointAt(method, pathname, params) : undefined
  keepsPromises(reply, endpoint)
  if (endpoint) {
    const { searchParams: query } = new URL(request.url)
    holdsDocument({ endpoint, query, sent: reply.status < 300 ? asSent(body) : undefined }, reply)
  }
  return reply
}

function asSent(body: unknown): unknown {
  if (body === undefined || body === '' || body instanceof ReadableStream) return undefined
  if (body instanceof Uint8Array) return JSON.parse(new TextDecoder().decode(body))
  return JSON.parse(typeof body === 'string' ? body : JSON.stringify(body))
}

function endpointAt(method: string, pathname: string, params: Record<string, string>): Endpoint {
  const segments = pathname.split('/')
  const names = new Set(Object.keys(params))
  for (const [name, endpoint] of endpoints) {
    const [verb, template = ''] = name.split(' ')
    const parts = template.split('/')
    const fits = parts.every((part, index) =>
      part.startsWith('[') ? names.has(part.slice(1, -1)) : part === segments[index],
    )
    if (verb === method && parts.length === segments.length && fits) return endpoint
  }
  throw new Error(`no contract describes ${method} ${pathname}`)
}

const ErrorShape = z.strictObject({
  message: z.string().min(1),
  code: z.enum(Object.keys(refusals)),
  requestId: z.string(),
  errors: z.record(z.string(), z.array(z.string().min(1)).min(1)).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
})

function keepsPromises({ status, headers, body }: Reply, endpoint: Endpoint | undefined): void {
  const cause = status >= 500 ? complaintAbout(body?.requestId) : undefined
  expect(status, JSON.stringify({ body, cause })).toBeLessThan(500)
  expect(headers.get('Request-Id')).toMatch(/^request_[0-9A-Za-z]{22}$/)
  const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => headers.get(name))
  const isLimited = limits.some((value) => value !== null)
  for (const value of limits) expect(value, String(limits)).toEqual(isLimited ? expect.stringMatching(/^\d+$/) : null)
  if (isLimited) expect(Number(limits[0])).toBeGreaterThan(0)
  expect(headers.get('Cache-Control')).toBe(endpoint?.hasSecret ? 'no-store, private' : 'no-store')
  expect(headers.get('Content-Type')).toBe(status === 204 ? null : 'application/json; charset=utf-8')
  if (status >= 400) {
    ErrorShape.parse(body)
    expect(refusals[body.code as keyof typeof refusals].status).toBe(status)
    if (headers.get('Idempotent-Replayed') === null) expect(body.requestId).toBe(headers.get('Request-Id'))
    if (endpoint)
      expect([...refusalsOf(endpoint), ...(endpoint.method === 'GET' ? [] : bodyRefusals)]).toContain(body.code)
    return
  }
  const shape = endpoint?.responses[status as 200]
  expect(shape, `${endpoint?.id} does not list ${status}`).toBeDefined()
  // Parsing drops unknown fields, so this comparison fails if the response has an unknown field.
  const plain = shape ? JSON.parse(JSON.stringify(body), withoutProto) : undefined
  expect(shape ? shape.parse(plain) : body).toEqual(plain)
  // Only the response to a ping may have the field `error`, which states why the merchant's endpoint did not respond.
  if (shape && endpoint?.id !== 'pingWebhookEndpoint')
    for (const name of ['error', 'errors']) expect(body).not.toHaveProperty(name)
}

/** Drops the key `__proto__`, which metadata may contain, because Zod's records drop this key too. */
const withoutProto = (key: string, value: unknown) => (key === '__proto__' ? undefined : value)
