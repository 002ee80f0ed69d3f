import http from 'node:http'
import https from 'node:https'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Collector } from '../platform/config-telemetry.ts'

/** A collector did not accept what it was sent, or did not answer. */
export class OtlpError extends Error {
  constructor(
    message: string,
    /** Whether it may accept the same later. */
    readonly isRetryable: boolean,
  ) {
    super(message)
    this.name = 'OtlpError'
  }
}

/** Answers after which the protocol lets a sender try again. */
const retryable = new Set([429, 502, 503, 504])

/** How to send a body of OTLP, as JSON or what becomes JSON: once, over a connection that is kept. Throws OtlpError. */
export function otlpSender({
  url,
  headers,
  timeoutMs,
  isCompressed,
  tls,
}: Collector): (body: object | string) => Promise<void> {
  const { request, Agent } = url.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, ...tls })
  const allHeaders = {
    ...headers,
    'Content-Type': 'application/json',
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  }
  return async (body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const bytes = isCompressed ? await promisify(gzip)(text) : Buffer.from(text)
    const signal = AbortSignal.timeout(timeoutMs)
    const options = { method: 'POST', agent, signal, headers: { ...allHeaders, 'Content-Length': bytes.length } }
    return new Promise((resolve, reject) => {
      const fail = (error: Error) =>
        reject(new OtlpError(signal.aborted ? `no answer within ${timeoutMs} ms` : error.message, true))
      const message = request(url, options, (response) => {
        const { statusCode = 0 } = response
        response.resume().on('error', fail)
        response.on('end', () =>
          statusCode < 300 ? resolve() : reject(new OtlpError(`answered ${statusCode}`, retryable.has(statusCode))),
        )
      })
      message.on('error', fail).end(bytes)
    })
  }
}
