import type { IncomingMessage, ServerResponse } from 'node:http'
import { percentDecoded } from '../kernel/url.ts'

/**
 * The request as a web-standard one. Its address begins with the public base URL, never with what the Host header says.
 * The body is read from the connection as the handler reads it, so that the handler's limit is the limit.
 */
export function webRequest(message: IncomingMessage, baseUrl: string): Request {
  const method = message.method ?? 'GET'
  const body = hasBody(message) ? webBody(message) : null
  return new Request(baseUrl + (target(message) ?? '/'), {
    // A HEAD is answered by GET; methods that fetch forbids reach no handler and are refused under another name.
    method: method === 'HEAD' || /^(CONNECT|TRACE|TRACK)$/.test(method) ? 'GET' : method,
    headers: message.headers as Record<string, string>,
    ...(body && { body, duplex: 'half' as const }),
  })
}

/**
 * Path and query of the request; null where there is no path (`OPTIONS *`). A proxy's form (`GET http://host/path`) is cut
 * down to its path.
 */
export function target({ url = '/' }: IncomingMessage): string | null {
  const address = url.startsWith('/') ? url : /^https?:\/\/[^/?#]*(\/.*)$/i.exec(url)?.[1]
  return address === undefined ? null : decodable(address)
}

/** Path and query. In a path that cannot be decoded each `%` stands for itself, so that it can: it names nothing then. */
export function decodable(address: string): string {
  const path = address.split('?', 1)[0] ?? ''
  return percentDecoded(path) === null ? path.replaceAll('%', '%25') + address.slice(path.length) : address
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'TRACE' || method === 'CONNECT') return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

function webBody(message: IncomingMessage): ReadableStream<Uint8Array> {
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
        message.removeAllListeners('end')
        discardRest(message)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Reads on without looking: what a handler left of its request's body would stand before the connection's next request. */
function discardRest(message: IncomingMessage): void {
  message.removeAllListeners('data').resume()
}

/**
 * Sends a web-standard answer. A body of one chunk, the usual case, goes out in one piece with its length; a longer one as
 * it comes, no faster than the client takes it.
 */
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
