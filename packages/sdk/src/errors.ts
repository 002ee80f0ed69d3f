import type { ApiError } from './generated/operations.ts'

/**
 * The SDK adds three codes: `connection_failed` (no response), `timeout` (no response in time), and
 * `unexpected_response` (not from the API).
 */
export type ErrorCode = ApiError['code'] | 'connection_failed' | 'timeout' | 'unexpected_response'

export class BillhookError extends Error {
  override readonly name = 'BillhookError'
  /** The error code, which is stable, unlike `message`. A newer service can send codes that this type does not list. */
  readonly code: ErrorCode | (string & {})
  /** The HTTP status; null if no response arrived. */
  readonly status: number | null
  /** The problems by field, such as `products.0.id`. Empty unless the code is `validation_failed`. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  readonly details: Readonly<Record<string, unknown>>
  /** The id of the request in the service's logs; null if no response arrived. */
  readonly requestId: string | null
  /** Milliseconds to wait before a retry, from the header `Retry-After`; null without this header. */
  readonly retryAfterMs: number | null
  /** The idempotency key of the call. Repeat the call with this key to get its result. */
  readonly idempotencyKey: string | null

  constructor(
    message: string,
    facts: Pick<BillhookError, 'code'> & Partial<Omit<BillhookError, keyof Error | 'code'>> & { cause?: unknown },
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = facts.code
    this.status = facts.status ?? null
    this.errors = facts.errors ?? {}
    this.details = facts.details ?? {}
    this.requestId = facts.requestId ?? null
    this.retryAfterMs = facts.retryAfterMs ?? null
    this.idempotencyKey = facts.idempotencyKey ?? null
  }
}

export function errorOf(response: Response, text: string, idempotencyKey: string | null): BillhookError {
  const facts = {
    status: response.status,
    requestId: response.headers.get('request-id'),
    retryAfterMs: retryAfterOf(response),
    idempotencyKey,
  }
  const body = parsed(text) as Partial<ApiError> | null
  if (typeof body?.code !== 'string' || typeof body.message !== 'string') {
    const message = `The response with status ${response.status} is not from the API of Billhook. Check the base URL.`
    return new BillhookError(message, { ...facts, code: 'unexpected_response' })
  }
  const { code, message, errors, details, requestId } = body
  const fields = Object.entries(errors ?? {}).map(([field, sentences]) => `${field}: ${sentences.join(' ')}`)
  return new BillhookError([message, ...fields].join(' '), {
    ...facts,
    code,
    ...(errors && { errors }),
    ...(details && { details }),
    ...(requestId && { requestId }),
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns the wait in milliseconds. The header `Retry-After` contains seconds or a date. */
function retryAfterOf(response: Response): number | null {
  const value = response.headers.get('retry-after')
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
