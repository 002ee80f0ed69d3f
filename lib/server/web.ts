import type { IncomingMessage, ServerResponse } from 'node:http'
import { percentDecoded } from '../kernel/url.ts'

/** Converts a Node.js request to a `Request`. The URL begins with the public base URL and never depends on the Host header. */
export function webRequest(message: IncomingMessage, baseUrl: string): Request {
  const method = message.method ?? 'GET'
  const url = baseUrl + (target(message) ?? '/')
  const init = {
    // GET handlers also serve HEAD requests. `Request` refuses CONNECT, TRACE, and TRACK, so requests with these
    // methods become GET.
    method: method === 'HEAD' || /^(CONNECT|TRACE|TRACK)$/.test(method) ? 'GET' : method,
    headers: message.headers as Record<string, string>,
  }
  // The types lack `duplex`, which a streamed body requires.
  return new Request(
    url,
    hasBody(message) ? ({ ...init, body: streamOf(message), duplex: 'half' } as RequestInit) : init,
  )
}

/**
 * Returns the path and the query of a request. Drops the origin of an absolute target (`GET http://host/path`). Null if
 * the target has no path (`OPTIONS *`).
 */
export function target({ url = '/' }: IncomingMessage): string | null {
  const address = url.startsWith('/') ? url : /^https?:\/\/[^/?#]*(\/.*)$/i.exec(url)?.[1]
  return address === undefined ? null : decodable(address)
}

/** Escapes each `%` of a path that cannot be decoded. The result can be decoded and matches no route. */
export function decodable(address: string): string {
  const path = address.split('?', 1)[0] ?? ''
  return percentDecoded(path) === null ? path.replaceAll('%', '%25') + address.slice(path.length) : address
}

/**
 * True if a segment of the path is `.` or `..`, also in percent-encoding. Next.js resolves these segments, so a path such as
 * `/docs/../metrics` would reach `/metrics` behind a proxy that hides only `/metrics`. Clients resolve these segments themselves.
 */
export const hasDotSegment = (path: string): boolean => /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i.test(path)

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'TRACE' || method === 'CONNECT') return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Reads the message no faster than the consumer reads the stream. If the consumer cancels, the rest of the body is discarded. */
function streamOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      start(controller) {
        message.pause()
        message.on('data', (chunk: Buffer) => {
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) message.pause()
        })
        message.on('end', () => controller.close())
        message.on('error', (error) => controller.error(error))
      },
      pull() {
        message.resume()
      },
      cancel() {
        message.removeAllListeners('end').removeAllListeners('data').resume()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Discards the unread rest of the body, which would otherwise block the next request on the connection. */
function discardRest(message: IncomingMessage): void {
  message.removeAllListeners('data').resume()
}

/** Sends a long body no faster than the client reads. A body of one chunk is sent in one write. */
export async function sendResponse(answer: Response, to: ServerResponse): Promise<void> {
  const { req: message } = to
  const headers: Record<string, string | string[]> = {}
  answer.headers.forEach((value, name) => {
    headers[name] = name === 'set-cookie' ? answer.headers.getSetCookie() : value
  })
  to.once('finish', () => discardRest(message))

  const reader = answer.body?.getReader()
  const first = await reader?.read()
  if (!reader || !first || first.done) {
    if (answer.status !== 204 && answer.status !== 304) headers['content-length'] ??= '0'
    to.writeHead(answer.status, headers).end()
    return
  }
  const second = await reader.read()
  if (second.done) {
    headers['content-length'] = String(first.value.byteLength)
    to.writeHead(answer.status, headers).end(message.method === 'HEAD' ? undefined : first.value)
    return
  }
  to.writeHead(answer.status, headers)
  if (message.method === 'HEAD') {
    to.end()
    return reader.cancel()
  }
  const closed = new Promise((resolve) => to.once('close', resolve))
  to.write(first.value)
  for (let next: ReadableStreamReadResult<Uint8Array> = second; !next.done; next = await reader.read()) {
    if (to.destroyed) return reader.cancel()
    if (!to.write(next.value)) await Promise.race([closed, new Promise((resolve) => to.once('drain', resolve))])
  }
  to.end()
}
