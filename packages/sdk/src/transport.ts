import { BillhookError, errorOf } from './errors.ts'
import type { RequestOptions } from './types.ts'

export interface TransportOptions {
  /** The address of the service, such as `https://pay.example`. A call without one is refused. */
  baseUrl: string | undefined
  /** An API key. It begins with `test_` or `live_`, which selects the mode. */
  apiKey: string | undefined
  /** 3 without this option. 0 switches retries off. */
  maxRetries?: number | undefined
  /** How long each attempt may take, in milliseconds; 30,000 without this option. */
  timeoutMs?: number | undefined
  /** Replaces `fetch`, for example with `fetch` of `createTestServer`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** A request of the API. */
export interface Call extends RequestOptions {
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
  /** The key that every attempt sends; null for a request that changes nothing. */
  idempotencyKey: string | null
}

/** The longest wait before a retry. An error that asks for a longer wait is thrown at once. */
const longestWaitMs = 30_000

/**
 * Sends a request until it succeeds, is refused, or has no retry left. Every request is safe to repeat: it reads, or
 * all its attempts have the same idempotency key.
 */
export async function send(options: TransportOptions, method: string, path: string, call: Call): Promise<unknown> {
  const attempt = attemptOf(options, method, path, call)
  const retries = call.maxRetries ?? options.maxRetries ?? 3
  for (let failures = 0; ; failures++) {
    call.signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      // An abort by the caller is not an error of the API.
      call.signal?.throwIfAborted()
      if (!(error instanceof BillhookError) || failures >= retries) throw error
      const waitMs = waitBefore(error, failures)
      if (waitMs === null) throw error
      await waited(waitMs, call.signal)
    }
  }
}

/** The wait before the next attempt, in milliseconds; null if a retry would fail again, or would wait too long. */
function waitBefore(error: BillhookError, failures: number): number | null {
  const isTemporary =
    error.status === null ||
    [408, 429, 500, 502, 503, 504].includes(error.status) ||
    error.code === 'idempotency_in_progress'
  if (!isTemporary) return null
  if (error.retryAfterMs === null) return Math.random() * 500 * 2 ** failures
  // Up to a quarter more, so that many clients do not return at the same moment.
  return error.retryAfterMs > longestWaitMs ? null : error.retryAfterMs * (1 + Math.random() / 4)
}

function waited(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** One attempt: it returns the JSON of a success, and throws a `BillhookError` otherwise. */
function attemptOf(options: TransportOptions, method: string, path: string, call: Call): () => Promise<unknown> {
  const { baseUrl, apiKey, fetch = globalThis.fetch } = options
  if (!baseUrl || !apiKey) throw new TypeError('The client needs a baseUrl and an apiKey.')
  const { idempotencyKey: key, body, signal } = call
  const headers: Record<string, string> = { Accept: 'application/json', Authorization: `Bearer ${apiKey}` }
  if (key !== null) headers['Idempotency-Key'] = key
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const text = body === undefined ? null : JSON.stringify(body)
  const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? 30_000

  return async () => {
    const limit = AbortSignal.timeout(timeoutMs)
    let response: Response
    let received: string
    try {
      const request = new Request(urlOf(baseUrl, path, call.query), {
        method,
        headers,
        body: text,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        // A redirected POST would become a GET.
        redirect: 'manual',
      })
      response = await fetch(request)
      received = await response.text()
    } catch (cause) {
      if (limit.aborted) {
        const message = `${method} ${path} has no response after ${timeoutMs} ms.`
        throw new BillhookError(message, { code: 'timeout', idempotencyKey: key, cause })
      }
      throw new BillhookError(`${method} ${path} failed without a response.`, {
        code: 'connection_failed',
        idempotencyKey: key,
        cause,
      })
    }
    if (response.status === 204) return undefined
    const json = response.headers.get('content-type')?.startsWith('application/json')
    if (response.ok && json) return JSON.parse(received)
    throw errorOf(response, response.ok ? '' : received, key)
  }
}

function urlOf(baseUrl: string, path: string, query: Call['query'] = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  return `${baseUrl.replace(/\/+$/, '')}${path}${search.size > 0 ? `?${search}` : ''}`
}
