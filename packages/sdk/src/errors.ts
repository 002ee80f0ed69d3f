import type { ApiError } from './generated/operations.ts'

/**
 * A code of the API, or one of the SDK: `connection_failed` (no response), `timeout` (no response in time), and
 * `unexpected_response` (a response that is not from the API, such as the page of a proxy).
 */
export type ErrorCode = ApiError['code'] | 'connection_failed' | 'timeout' | 'unexpected_response'

/** Every failed call throws this error. */
export class BillhookError extends Error {
  override readonly name = 'BillhookError'
  /** Stable: compare this field, never `message`. A newer service can send codes that this type does not name. */
  readonly code: ErrorCode | (string & {})
  /** The HTTP status; null without a response. */
  readonly status: number | null
  /** Error messages by field, such as `products.0.id`; empty unless the code is `validation_failed`. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  readonly details: Readonly<Record<string, unknown>>
  /** The id of the request in the logs of the service; null without a response. */
  readonly requestId: string | null
  /** How long to wait before a retry, in milliseconds; null if waiting does not help or is not needed. */
  readonly retryAfterMs: number | null
  /** The idempotency key of the failed call. Call again with this key to get the result. */
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

/** The error of a response that is not a success. */
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

/** Null if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The wait that a response asks for, in milliseconds: `Retry-After` in seconds or as a date. */
function retryAfterOf(response: Response): number | null {
  const value = response.headers.get('retry-after')
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
