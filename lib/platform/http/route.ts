import type { z } from 'zod'
import { type FieldErrors, Refusal, type RefusalCode, refusals } from '../../kernel/refusal.ts'
import { realNow, type Tenant } from '../clock/clock.ts'
import { config } from '../config.ts'
import { newId } from '../crypto/identity.ts'
import { db, type Sql } from '../db/db.ts'
import { isUnavailable } from '../db/unavailable.ts'
import type { RequestContext } from '../jobs/transact.ts'
import { log } from '../log.ts'
import { admit, admitAnybody } from './admission.ts'
import type { ApiKey } from './authentication.ts'
import { jsonDocument } from './document.ts'
import type { Endpoint } from './endpoint.ts'
import { type Answer, type Claim, claimKey, fingerprint, releaseKey, storeAnswer, whileRenewed } from './idempotency.ts'
import { parseBody, readBody } from './request-body.ts'
import { parseWith, type WellFormed, wellFormedOf } from './validate.ts'

/** The input of a handler. `context` carries what must commit with the change. */
export interface Call<E extends Endpoint> {
  readonly context: RequestContext
  readonly params: E extends Endpoint<infer P, z.ZodType, z.ZodType> ? z.infer<P> : never
  readonly query: E extends Endpoint<z.ZodType, infer Q, z.ZodType> ? z.infer<Q> : never
  readonly body: E extends Endpoint<z.ZodType, z.ZodType, infer B> ? z.infer<B> : never
  /** The URL of the request, for the links of a list. */
  readonly url: URL
}

export type Route = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>

interface Options<E extends Endpoint, Result> {
  /** For an endpoint with two success statuses: the status and body of this result. */
  answer?: (result: Result) => { status: 200 | 201; body: unknown }
  /**
   * Validates references and other rules beyond the shape, by field. Called only if the shape is invalid, so that one
   * answer reports every error; `body` then contains only its well-formed fields. A GET route does not need it: its
   * operation is called with the well-formed input instead.
   */
  validateReferences?: (call: {
    context: Tenant
    params: Call<E>['params']
    body: WellFormed<Call<E>['body']>
  }) => Promise<FieldErrors>
}

const keptOutOfStore: readonly RefusalCode[] = [
  'malformed_json',
  'not_an_object',
  'unauthenticated',
  'test_mode_only',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
  'rate_limited',
  'too_many_charges',
  'internal',
  'unavailable',
  'idempotency_in_progress',
]

/**
 * Builds a route handler, a plain `(Request) => Response`: authentication, rate limit, body, idempotency, validation,
 * refusals and headers around one operation. For requests that change something, the operation must return the result
 * of its transaction, which stores the rendered answer.
 */
export function route<E extends Endpoint, Result>(
  endpoint: E,
  operation: (call: Call<E>) => Promise<Result>,
  options: Options<E, Result> = {},
): Route {
  const render = (result: Result): Answer => {
    const { status, body } = options.answer?.(result) ?? {
      status: Number(Object.keys(endpoint.responses)[0]),
      body: result,
    }
    return { status, body: status === 204 ? null : JSON.stringify(body) }
  }

  const respond = async (
    request: Request,
    rawParams: Record<string, string>,
    headers: Headers,
    requestId: string,
  ): Promise<Answer> => {
    const apiKey = await admit(request, headers)
    if (endpoint.testOnly && !apiKey.testmode) throw new Refusal('test_mode_only')

    const raw = await readBody(request)
    const body = parseBody(request, raw)
    const url = new URL(request.url)
    const claim = await claimFor(request, url, raw, apiKey)
    if (claim && !('claim' in claim)) {
      headers.set('Idempotent-Replayed', 'true')
      return claim
    }
    try {
      const executed = () => execute(apiKey, rawParams, url, body, claim)
      return claim ? await whileRenewed(claim, executed) : await executed()
    } catch (error) {
      if (claim) await settleClaim(claim, error, requestId)
      throw error
    }
  }

  const claimFor = async (
    request: Request,
    url: URL,
    raw: Uint8Array,
    apiKey: ApiKey,
  ): Promise<Claim | Answer | null> => {
    const idempotencyKey = request.method === 'GET' ? null : request.headers.get('idempotency-key')
    if (idempotencyKey === null) return null
    if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
      throw new Refusal('validation_failed', { 'Idempotency-Key': ['Must have 1 to 255 visible ASCII characters.'] })
    }
    return claimKey({
      tenant: { storefrontId: apiKey.storefrontId, testmode: apiKey.testmode },
      method: request.method,
      route: endpoint.path,
      key: idempotencyKey,
      fingerprint: fingerprint(request.method, url.pathname + url.search, raw),
    })
  }

  const execute = async (
    apiKey: ApiKey,
    rawParams: Record<string, string>,
    url: URL,
    rawBody: Record<string, unknown> | undefined,
    claim: Claim | null,
  ) => {
    const input = await parsed(apiKey, rawParams, url, rawBody)
    let rendered: Answer | undefined
    let settled: unknown
    const context: RequestContext = {
      storefrontId: apiKey.storefrontId,
      testmode: apiKey.testmode,
      ...(claim && {
        idempotencyKey: claim.key,
        answer: async (sql: Sql, result: unknown) => {
          settled = result
          rendered = render(result as Result)
          await storeAnswer(sql, claim, rendered)
        },
      }),
    }
    const result = await operation({ context, url, ...input } as Call<E>)
    if (claim && (rendered === undefined || settled !== result)) {
      throw new Error(`${endpoint.id} did not answer with the result of its transaction`)
    }
    return rendered ?? render(result)
  }

  const parsed = async (
    caller: Tenant,
    params: Record<string, string>,
    url: URL,
    body: Record<string, unknown> | undefined,
  ) => {
    try {
      return parseWith(endpoint, params, url.searchParams, body)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'validation_failed') throw error
      const wellFormed = wellFormedOf(endpoint, params, url.searchParams, body) as Call<E>
      throw new Refusal('validation_failed', {
        ...(await beyondShape({ ...wellFormed, context: caller, url })),
        ...error.on,
      })
    }
  }

  const beyondShape = async (call: Call<E>): Promise<FieldErrors> => {
    if (options.validateReferences)
      return options.validateReferences(call as Parameters<typeof options.validateReferences>[0])
    if (endpoint.method !== 'GET') return {}
    try {
      await operation(call)
      return {}
    } catch (error) {
      if (error instanceof Refusal) return error.on
      throw error
    }
  }

  return async (request, context) => {
    const requestId = newId('request_', realNow())
    const headers = new Headers({ 'Request-Id': requestId, 'Cache-Control': 'no-store' })
    const started = performance.now()
    let answer: Answer
    try {
      answer = await respond(request, await context.params, headers, requestId)
    } catch (error) {
      answer = refuse(error, requestId, headers, endpoint.id)
    }
    log.debug(
      { requestId, endpoint: endpoint.id, status: answer.status, ms: Math.round(performance.now() - started) },
      'request',
    )
    return toResponse(answer, headers)
  }
}

/** Serves a public JSON document that is the same for every client: no key needed, with the headers of every answer. */
export function publicDocument(make: () => unknown): (request: Request) => Promise<Response> {
  const document = jsonDocument(make)
  return (request) => answerAnybody(request, (headers) => document(request, headers))
}

/** The answer for a path under `/v1` that no route serves: 404, or 405 with the methods that the path accepts. */
export const notRouted = (request: Request, allow: string[]): Promise<Response> =>
  answerAnybody(request, async (headers) => {
    if (allow.length === 0) {
      const details = { openapi: `${config().publicBaseUrl}/v1/openapi.json` }
      throw new Refusal('endpoint_not_found', {}, { details })
    }
    headers.set('Allow', allow.join(', '))
    throw new Refusal('method_not_allowed')
  })

async function answerAnybody(request: Request, answer: (headers: Headers) => Promise<Response>): Promise<Response> {
  const requestId = newId('request_', realNow())
  const headers = new Headers({ 'Request-Id': requestId, 'Cache-Control': 'no-store' })
  try {
    await admitAnybody(request, headers)
    return await answer(headers)
  } catch (error) {
    return toResponse(refuse(error, requestId, headers, 'none'), headers)
  }
}

function toResponse({ status, body }: Answer, headers: Headers): Response {
  if (body !== null) headers.set('Content-Type', 'application/json; charset=utf-8')
  return new Response(body, { status, headers })
}

/**
 * The body of every refusal. Any other error is a bug: it is logged with the request id and answered as 500 without
 * details.
 */
function errorBody(refusal: Refusal, requestId: string): string {
  const { code, message, on, details } = refusal
  return JSON.stringify({
    message,
    code,
    requestId,
    ...(details && { details }),
    ...(Object.keys(on).length > 0 && { errors: on }),
  })
}

function refuse(error: unknown, requestId: string, headers: Headers, endpointId: string): Answer {
  let refusal: Refusal
  if (error instanceof Refusal) refusal = error
  else {
    refusal = new Refusal(isUnavailable(error) ? 'unavailable' : 'internal')
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    const logFields = { requestId, endpoint: endpointId, error: `${name}: ${message}` }
    if (refusal.code === 'unavailable') log.warn(logFields, 'request not served')
    else log.error({ ...logFields, stack }, 'request failed')
  }
  if (refusal.code === 'idempotency_in_progress' || refusal.code === 'unavailable') headers.set('Retry-After', '1')
  if (refusal.retryAfterSeconds !== null) headers.set('Retry-After', String(refusal.retryAfterSeconds))
  if (refusal.code === 'unauthenticated') headers.set('WWW-Authenticate', 'Bearer')
  return { status: refusals[refusal.code].status, body: errorBody(refusal, requestId) }
}

/**
 * Stores a refusal as the answer, unless its code is one that is not stored; a refusal has changed nothing. Throws if
 * the database is unavailable, after releasing the key.
 */
async function settleClaim(claim: Claim, error: unknown, requestId: string): Promise<void> {
  if (!(error instanceof Refusal) || keptOutOfStore.includes(error.code)) return releaseKey(claim)
  try {
    await storeAnswer(db(), claim, { status: error.status, body: errorBody(error, requestId) })
  } catch (failure) {
    await releaseKey(claim)
    throw failure
  }
}
