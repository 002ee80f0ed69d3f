import { BillhookError, errorOf } from './errors.ts'
import type { RequestOptions } from './types.ts'

export interface TransportOptions {
  /** The URL of the service, such as `https://pay.example`. Required. */
  baseUrl: string | undefined
  /** The API key. Its prefix, `test_` or `live_`, selects the mode. Required. */
  apiKey: string | undefined
  /** The maximum number of retries of a call. The default is 3. 0 turns retries off. */
  maxRetries?: number | undefined
  /** The timeout of each attempt in milliseconds. The default is 30,000. */
  timeoutMs?: number | undefined
  /** Replaces the global `fetch`, for example with the `fetch` of `createTestServer`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

export interface Call extends RequestOptions {
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
  /** The idempotency key of all attempts of a call; null for a request that changes nothing. */
  idempotencyKey: string | null
}

/**
 * The longest wait before a retry, in milliseconds. If the service asks for a longer wait, the call fails without a
 * retry.
 */
const longestWaitMs = 30_000

/** Retries are safe, because a request either changes nothing or has the same idempotency key in each attempt. */
export async function send(options: TransportOptions, method: string, path: string, call: Call): Promise<unknown> {
  const attempt = attemptOf(options, method, path, call)
  const retries = call.maxRetries ?? options.maxRetries ?? 3
  for (let failures = 0; ; failures++) {
    call.signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      // An abort by the caller must not become a `BillhookError`.
      call.signal?.throwIfAborted()
      if (!(error instanceof BillhookError) || failures >= retries) throw error
      const waitMs = waitBefore(error, failures)
      if (waitMs === null) throw error
      await waited(waitMs, call.signal)
    }
  }
}

/** Returns the wait in milliseconds, or null if the call must not be retried. */
function waitBefore(error: BillhookError, failures: number): number | null {
  const isTemporary =
    error.status === null ||
    [408, 429, 500, 502, 503, 504].includes(error.status) ||
    error.code === 'idempotency_in_progress'
  if (!isTemporary) return null
  if (error.retryAfterMs === null) return Math.random() * 500 * 2 ** failures
  // Adding up to a quarter of the wait prevents many clients from retrying at the same moment.
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

function attemptOf(options: TransportOptions, method: string, path: string, call: Call): () => Promise<unknown> {
  const { baseUrl, apiKey, fetch = globalThis.fetch } = options
  if (!baseUrl || !apiKey) throw new TypeError('The client needs a baseUrl and an apiKey.')
  const url = urlOf(baseUrl, path, call.query)
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new TypeError(`The baseUrl ${baseUrl} is not a URL that begins with https:// or http://.`)
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
      const request = new Request(url, {
        method,
        headers,
        body: text,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        // Redirects are not followed, because a redirect would turn a POST into a GET.
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
