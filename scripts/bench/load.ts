import autocannon, { type Sent, type Totals } from 'autocannon'
import { type Round, roundOf } from './figures.ts'
import { answer } from './program.ts'

export interface Load {
  readonly origin: string
  /** Each connection sends these requests in sequence. In bodies and idempotency keys, `{n}` becomes a new number each time. */
  readonly requests: readonly { method: string; path: string; headers: Record<string, string>; body?: string }[]
  /** The expected status. A response with any other status is a failure. */
  readonly status: number
  /** The source of a regular expression. A matching response body is a failure. */
  readonly refused?: string
  readonly connections: number
  /** The number of requests per second over all connections. If the rate is omitted, each connection sends the next request after a response. */
  readonly perSecond?: number
  /** Seconds until a missing response is a failure. The default is 10. */
  readonly timeoutSeconds?: number
  readonly seconds: number
}

let number = 0
function numbered(request: Sent): Sent {
  const n = String(++number)
  const { 'Idempotency-Key': key, ...headers } = request.headers ?? {}
  return {
    ...request,
    headers: { ...headers, ...(key && { 'Idempotency-Key': key.replace('{n}', n) }) },
    body: request.body?.replaceAll('{n}', n) ?? '',
  }
}

/** Throws on a wrong status, a refused body, a failed connection, or a missing response. */
function put(load: Load): Promise<Round> {
  const { origin, requests, status, refused, connections, perSecond, timeoutSeconds = 10, seconds } = load
  return new Promise((resolve, reject) => {
    const latencies: number[] = []
    let last = 0
    const refusal = refused === undefined ? null : new RegExp(refused)
    const options = {
      url: origin,
      connections,
      duration: seconds,
      sampleInt: 50,
      timeout: timeoutSeconds,
      ...(perSecond !== undefined && { overallRate: perSecond }),
      ...(refusal && { verifyBody: (body: string) => !refusal.test(body) }),
    }
    const sent = requests.map((request) => (request.body ? { ...request, setupRequest: numbered } : { ...request }))
    const began = performance.now()
    const running = autocannon({ ...options, requests: sent }, (error, totals) => {
      const problem = error?.message ?? problemOf(totals, status)
      if (problem) reject(new Error(`${requests[0]?.method} ${requests[0]?.path}: ${problem}`))
      else resolve(roundOf(latencies, (last - began) / 1000))
    })
    running.on('response', (_client, _status, _bytes, latency: number) => {
      last = performance.now()
      latencies.push(latency)
    })
  })
}

function problemOf({ errors, mismatches, statusCodeStats }: Totals, status: number): string | null {
  const { [status]: right, ...wrong } = statusCodeStats
  const counts = Object.entries(wrong).map(([code, { count }]) => `${count} answers were ${code}`)
  if (errors > 0) counts.push(`${errors} connections failed`)
  if (mismatches > 0) counts.push(`${mismatches} answers were errors`)
  if (!right) counts.push(`no answer was ${status}`)
  return counts.length > 0 ? counts.join(', ') : null
}

answer(put)
