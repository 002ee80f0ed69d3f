import type { z } from 'zod'
import { includesScope, scopesThatInclude } from '../../kernel/key-scope.ts'
import { type FieldErrors, Refusal, type RefusalCode } from '../../kernel/refusal.ts'
import { type Caller, realNow, type Tenant } from '../clock/clock.ts'
import { newId } from '../crypto/identity.ts'
import { changeNow, db, type Sql } from '../db/db.ts'
import type { RequestContext } from '../jobs/transact.ts'
import { log } from '../log.ts'
import { traced } from '../tracing.ts'
import { admit } from './admission.ts'
import { errorBody, refuse, toResponse } from './answer.ts'
import type { ApiKey } from './authentication.ts'
import { type Endpoint, onlyReads } from './endpoint.ts'
import { ignoredFields, unknownFields } from './field-names.ts'
import {
  type Answer,
  type Claim,
  claimKey,
  fingerprint,
  identityOf,
  releaseKey,
  storedAnswer,
  whileRenewed,
} from './idempotency.ts'
import { parseBody, readBody } from './request-body.ts'
import { parseWith, type WellFormed, wellFormedOf } from './validate.ts'

export interface Call<E extends Endpoint> {
  readonly context: RequestContext
  readonly params: E extends Endpoint<infer P, z.ZodType, z.ZodType> ? z.infer<P> : never
  readonly query: E extends Endpoint<z.ZodType, infer Q, z.ZodType> ? z.infer<Q> : never
  readonly body: E extends Endpoint<z.ZodType, z.ZodType, infer B> ? z.infer<B> : never
  readonly url: URL
}

export type Route = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>

interface Options<E extends Endpoint, Result> {
  answer?: (result: Result) => { status: 200 | 201; body: unknown }
  /**
   * Checks rules that a schema cannot express, such as whether a referenced object exists. The route calls this function
   * only if the request violates the schema, so that one response reports all errors. A request that matches the schema
   * is checked by its operation. `body` contains only the well-formed fields.
   */
  validateReferences?: (call: {
    context: Tenant
    params: Call<E>['params']
    body: WellFormed<Call<E>['body']>
  }) => Promise<FieldErrors>
}

/** Responses with these statuses are not stored, because a retry may get another response. */
const unstoredStatuses: readonly number[] = [400, 401, 403, 413, 415, 429]
const unstoredCodes: readonly RefusalCode[] = ['validation_failed', 'idempotency_in_progress']

const isStored = ({ code, status }: Refusal): boolean =>
  status < 500 && !unstoredStatuses.includes(status) && !unstoredCodes.includes(code)

interface Served<E extends Endpoint, Result> {
  readonly endpoint: E
  readonly operation: (call: Call<E>) => Promise<Result>
  readonly options: Options<E, Result>
}

interface Sent {
  readonly apiKey: ApiKey
  readonly params: Record<string, string>
  readonly url: URL
  readonly body: Record<string, unknown> | undefined
  readonly claim: Claim | null
}

/** An operation that changes data must return the result of its transaction, because the transaction renders and stores the response. */
export function route<E extends Endpoint, Result>(
  endpoint: E,
  operation: (call: Call<E>) => Promise<Result>,
  options: Options<E, Result> = {},
): Route {
  const served = { endpoint, operation, options }
  return async (request, context) => {
    const requestId = newId('request_', realNow())
    const headers = new Headers({
      'Request-Id': requestId,
      'Cache-Control': endpoint.hasSecret ? 'no-store, private' : 'no-store',
    })
    const started = performance.now()
    let answer: Answer
    try {
      answer = await respond(served, request, await context.params, headers, requestId)
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

async function respond<E extends Endpoint, Result>(
  served: Served<E, Result>,
  request: Request,
  params: Record<string, string>,
  headers: Headers,
  requestId: string,
): Promise<Answer> {
  const { endpoint } = served
  const apiKey = await admit(request, headers)
  if (endpoint.testOnly && !apiKey.testmode) throw new Refusal('test_mode_only')
  requireScope(endpoint, apiKey)

  const raw = await readBody(request)
  const body = parseBody(request, raw)
  const ignored = ignoredFields(unknownFields(endpoint.body, body))
  if (ignored !== null) headers.set('Ignored-Fields', ignored)
  const url = new URL(request.url)
  const claim = await claimFor(endpoint, request, url, raw, apiKey)
  if (claim && !('claim' in claim)) {
    headers.set('Idempotent-Replayed', 'true')
    return repeated(served, claim)
  }
  try {
    const executed = () => execute(served, { apiKey, params, url, body, claim })
    return claim ? await whileRenewed(claim, executed) : await executed()
  } catch (error) {
    if (claim) await settleClaim(claim, error, requestId)
    throw error
  }
}

/** Checks the scope of the API key. Runs before the body is read and the idempotency key is claimed. */
function requireScope({ scope: needed }: Endpoint, { scope }: ApiKey): void {
  if (includesScope(scope, needed)) return
  const message = `This operation needs an API key with the scope ${scopesThatInclude(needed).join(' or ')}. This key has the scope ${scope}.`
  throw new Refusal('insufficient_scope', {}, { message, details: { neededScope: needed, scope } })
}

/** Claims the idempotency key. Returns null if the request has no key, and the stored response if the request is a retry. */
async function claimFor(
  endpoint: Endpoint,
  request: Request,
  url: URL,
  raw: Uint8Array,
  { storefrontId, testmode }: ApiKey,
): Promise<Claim | Answer | null> {
  const idempotencyKey = onlyReads(endpoint) ? null : request.headers.get('idempotency-key')
  if (idempotencyKey === null) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new Refusal('validation_failed', { 'Idempotency-Key': ['Must have 1 to 255 visible ASCII characters.'] })
  }
  return claimKey({
    tenant: { storefrontId, testmode },
    method: request.method,
    route: endpoint.path,
    key: idempotencyKey,
    fingerprint: fingerprint(request.method, url.pathname + url.search, raw),
  })
}

async function execute<E extends Endpoint, Result>(served: Served<E, Result>, sent: Sent): Promise<Answer> {
  const { apiKey, url, claim } = sent
  const input = await parsed(served, sent)
  let rendered: Answer | undefined
  let settled: unknown
  const context: RequestContext = {
    storefrontId: apiKey.storefrontId,
    testmode: apiKey.testmode,
    by: apiKey.keyId as Caller,
    ...(claim && {
      requestIdentity: identityOf(claim),
      answer: async (_sql: Sql, result: unknown) => {
        settled = result
        rendered = render(served, result as Result)
        return storedAnswer(claim, storable(served, rendered, result))
      },
    }),
  }
  const result = await traced(`operation ${served.endpoint.id}`, { isInner: true }, () =>
    served.operation({ context, url, ...input } as Call<E>),
  )
  if (claim && (rendered === undefined || settled !== result)) {
    throw new Error(`${served.endpoint.id} did not return the result of its transaction`)
  }
  return rendered ?? render(served, result)
}

function render<E extends Endpoint, Result>({ endpoint, options }: Served<E, Result>, result: Result): Answer {
  const { status, body } = options.answer?.(result) ?? {
    status: Number(Object.keys(endpoint.responses)[0]),
    body: result,
  }
  return { status, body: status === 204 ? null : JSON.stringify(body) }
}

const storable = <E extends Endpoint, Result>(
  { endpoint }: Served<E, Result>,
  answer: Answer,
  result: unknown,
): Answer => (endpoint.hasSecret ? { status: answer.status, body: JSON.stringify(result) } : answer)

function repeated<E extends Endpoint, Result>(served: Served<E, Result>, stored: Answer): Answer {
  const isSuccess = stored.status in served.endpoint.responses
  return served.endpoint.hasSecret && isSuccess && stored.body !== null
    ? render(served, JSON.parse(stored.body))
    : stored
}

/** Parses the input. If the input violates the schema, the error response also includes violations of other rules. */
async function parsed<E extends Endpoint, Result>(served: Served<E, Result>, { apiKey, params, url, body }: Sent) {
  const { endpoint } = served
  try {
    return parseWith(endpoint, params, url.searchParams, body)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'validation_failed') throw error
    const wellFormed = wellFormedOf(endpoint, params, url.searchParams, body) as Call<E>
    throw new Refusal('validation_failed', {
      ...(await beyondShape(served, { ...wellFormed, context: apiKey, url })),
      ...error.on,
    })
  }
}

async function beyondShape<E extends Endpoint, Result>(
  { endpoint, operation, options }: Served<E, Result>,
  call: Call<E>,
): Promise<FieldErrors> {
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

/** Stores the error response if a retry must get the same response (`isStored`). Otherwise, or if storing fails, releases the idempotency key. */
async function settleClaim(claim: Claim, error: unknown, requestId: string): Promise<void> {
  if (!(error instanceof Refusal) || !isStored(error)) return releaseKey(claim)
  try {
    await changeNow(db(), storedAnswer(claim, { status: error.status, body: errorBody(error, requestId) }))
  } catch (failure) {
    await releaseKey(claim)
    throw failure
  }
}
