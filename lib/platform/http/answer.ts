import { Refusal, refusals } from '../../kernel/refusal.ts'
import { isUnavailable, secondsToWait } from '../db/unavailable.ts'
import { log } from '../log.ts'
import type { Answer } from './idempotency.ts'

export function toResponse({ status, body }: Answer, headers: Headers): Response {
  if (body !== null) headers.set('Content-Type', 'application/json; charset=utf-8')
  return new Response(body, { status, headers })
}

export function errorBody(refusal: Refusal, requestId: string): string {
  const { code, message, on, details } = refusal
  return JSON.stringify({
    message,
    code,
    requestId,
    ...(details && { details }),
    ...(Object.keys(on).length > 0 && { errors: on }),
  })
}

/** The response to an error: a refusal, 503 if the database is unavailable, or 500 for a bug. Logs outages and bugs. */
export function refuse(error: unknown, requestId: string, headers: Headers, endpointId: string): Answer {
  let refusal: Refusal
  if (error instanceof Refusal) refusal = error
  else {
    refusal = new Refusal(isUnavailable(error) ? 'unavailable' : 'internal')
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    const logged = { requestId, endpoint: endpointId, error: `${name}: ${message}` }
    if (refusal.code === 'unavailable') log.warn(logged, 'request not served')
    else log.error({ ...logged, stack }, 'request failed')
  }
  if (refusal.code === 'idempotency_in_progress' || refusal.code === 'unavailable')
    headers.set('Retry-After', String(secondsToWait(error, 1)))
  if (refusal.retryAfterSeconds !== null) headers.set('Retry-After', String(refusal.retryAfterSeconds))
  if (refusal.code === 'unauthenticated') headers.set('WWW-Authenticate', 'Bearer')
  return { status: refusals[refusal.code].status, body: errorBody(refusal, requestId) }
}
