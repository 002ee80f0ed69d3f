import http from 'node:http'
import https from 'node:https'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Collector } from '../platform/config-telemetry.ts'

/** A collector did not take what it was sent. */
export class NotTaken extends Error {
  constructor(
    message: string,
    /** Whether it may take the same later. */
    readonly isBrief: boolean,
  ) {
    super(message)
    this.name = 'NotTaken'
  }
}

/** Answers after which the protocol lets a sender try again. */
const brief = new Set([429, 502, 503, 504])

/** How to send a body of OTLP as JSON: once, over a connection that is kept. Throws NotTaken. */
export function otlpSender({ url, headers, timeoutMs, isCompressed, tls }: Collector): (body: object) => Promise<void> {
  const { request, Agent } = url.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, ...tls })
  const allHeaders = {
    ...headers,
    'Content-Type': 'application/json',
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  }
  return async (body) => {
    const text = JSON.stringify(body)
    const bytes = isCompressed ? await promisify(gzip)(text) : Buffer.from(text)
    const signal = AbortSignal.timeout(timeoutMs)
    const options = { method: 'POST', agent, signal, headers: { ...allHeaders, 'Content-Length': bytes.length } }
    return new Promise((resolve, reject) => {
      const fail = (error: Error) =>
        reject(new NotTaken(signal.aborted ? `no answer within ${timeoutMs} ms` : error.message, true))
      const message = request(url, options, (response) => {
        const { statusCode = 0 } = response
        response.resume().on('error', fail)
        response.on('end', () =>
          statusCode < 300 ? resolve() : reject(new NotTaken(`answered ${statusCode}`, brief.has(statusCode))),
        )
      })
      message.on('error', fail).end(bytes)
    })
  }
}
