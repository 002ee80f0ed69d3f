import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { clientAddress, writeClientAddress } from '../platform/http/client-address.ts'
import { isTracing } from '../platform/tracing.ts'
import { limitConnections } from './connection-limit.ts'
import type { ServedRequest } from './request-metrics.ts'
import { type Match, type RouteFile, router } from './router.ts'
import { tracedRequest } from './traced-request.ts'
import { UnreadAnswers } from './unread-answers.ts'
import { hasDotSegment, sendResponse, target, webRequest } from './web.ts'

/** Pages accept only these methods, because Next.js responds to some other methods with 500. */
const pageMethods = ['GET', 'HEAD', 'POST']

export interface Listener {
  readonly port: number
  /**
   * Waits at most `drainMs` for requests in progress, then cuts them. For `lingerMs`, the port and idle connections stay open, because clients may be sending
   * requests or connecting. Each response closes its connection.
   */
  close(drainMs: number, lingerMs?: number): Promise<void>
}

export interface ListenOptions {
  readonly port: number
  /** An IP address of this machine. The default is all addresses. */
  readonly address?: string | null
  /** The lower-case name of the header in which a trusted proxy sends the client address; null if no proxy is configured. */
  readonly clientAddressHeader: string | null
  readonly baseUrl: string
  readonly routes: readonly RouteFile[]
  /** Responds to unrouted API paths with 404, or with 405 and the allowed methods. */
  readonly notRouted: (request: Request, allow: string[]) => Response | Promise<Response>
  /** Responds to a caller with too many unread bytes. The default is 429 without a body. */
  readonly unread?: () => Response
  /** Responds to all other paths. The method is GET, HEAD, or POST, and the path can be decoded. */
  readonly pages: (message: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly report: (error: unknown) => void
  readonly served?: (request: ServedRequest) => void
  /** The maximum number of connections per client address to this process. 0 means no limit. */
  readonly maxConnectionsPerAddress?: number
  /**
   * Milliseconds after which a connection without activity is closed. Must exceed the time until any response begins,
   * which is up to 30 seconds for a test clock advance.
   */
  readonly idleSocketMs?: number
}

/** Calls the API routes directly, because the router of Next.js serves only a tenth of the requests per second. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { port, address, report, idleSocketMs = 120_000 } = options
  const always = headersOfAll(options.baseUrl)
  const answer = answerer(options, always)
  /** The current response of each connection. No other bytes may be written to the connection in the middle of a response. */
  const answering = new Map<Duplex, ServerResponse>()
  const sockets = new Set<Socket>()
  let closing = false
  const serve = (message: IncomingMessage, response: ServerResponse): void => {
    answering.set(message.socket, response)
    // Removes the entry only if it still has this response: with pipelining, the next request can arrive before the
    // first response ends.
    response.once('close', () => answering.get(message.socket) === response && answering.delete(message.socket))
    if (closing) closeAfter(response)
    answer(message, response).catch((error) => {
      report(error)
      fail(response, always)
    })
  }
  const times = { requestTimeout: 60_000, headersTimeout: 20_000, connectionsCheckingInterval: 5_000 }
  // Node.js's own response to a request without a Host header would lack our headers, so `answerer` refuses these
  // requests instead.
  const server = createServer({ keepAlive: true, requireHostHeader: false, ...times }, serve)
  // Node.js's own response to an unknown `Expect` header would lack our headers. This server therefore ignores the
  // header, which RFC 9110 (10.1.1) permits.
  server.on('checkExpectation', serve)
  // This timeout is longer than the idle timeout of common load balancers (60 s), so that the load balancer closes the
  // connection first.
  server.keepAliveTimeout = 75_000
  server.timeout = idleSocketMs
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (answering.has(socket)) socket.destroy()
    else refuseBytes(error, socket, always)
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  limitConnections(server, options.maxConnectionsPerAddress ?? 0)
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen({ port, ...(address && { host: address }) }, resolve),
  )
  return {
    port: (server.address() as AddressInfo).port,
    close(drainMs, lingerMs = 0) {
      closing = true
      for (const response of answering.values()) closeAfter(response)
      return close(server, sockets, drainMs, lingerMs)
    },
  }
}

/** Closes the connection after the response, unless the headers of the response were already sent. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

type Headers = Readonly<Record<string, string>>

const headersOfAll = (baseUrl: string): Headers => ({
  'x-content-type-options': 'nosniff',
  ...(baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
})

function answerer(options: ListenOptions, always: Headers) {
  const { clientAddressHeader, baseUrl, routes, notRouted, unread = withoutBody, pages, served } = options
  const route = router(routes)
  const unreadAnswers = new UnreadAnswers()
  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const began = performance.now()
    writeClientAddress(message, clientAddressHeader)
    for (const [name, value] of Object.entries(always)) response.setHeader(name, value)
    // HTTP/1.1 requires exactly one Host header (RFC 9112, 3.2), because a proxy and this server could read different
    // hosts if a request had two.
    const hosts = hostLines(message)
    if (hosts > 1 || (hosts === 0 && message.httpVersion !== '1.0')) {
      response.writeHead(400, { connection: 'close' }).end()
      return
    }
    const address = target(message)
    const path = address?.split('?', 1)[0]
    const request = () => webRequest(message, baseUrl)
    if (address === null || path === undefined) return sendResponse(await notRouted(request(), []), response)
    // A proxy may have checked the path before the dot segments are resolved, so a path with dot segments gets 404 on every surface.
    const isDotted = hasDotSegment(path)
    const match: Match = isDotted ? { found: null, allow: [] } : route(message.method ?? 'GET', path)
    response.once('close', () =>
      served?.({
        method: message.method ?? 'GET',
        route: match.found ? match.route : null,
        path,
        status: response.headersSent ? response.statusCode : null,
        seconds: (performance.now() - began) / 1000,
      }),
    )
    const answered = async (): Promise<void> => {
      if (isDotted || path === '/v1' || path.startsWith('/v1/') || match.found || match.allow.length > 0) {
        const isMade = await unreadAnswers.make(callerOf(message), mayBeLarge(message, address), response, async () => {
          const result = match.found
            ? match.found(request(), { params: Promise.resolve(match.params) })
            : notRouted(request(), match.allow)
          await sendResponse(await result, response)
        })
        return isMade ? undefined : sendResponse(unread(), response)
      }
      if (!pageMethods.includes(message.method ?? '')) {
        return sendResponse(await notRouted(request(), pageMethods), response)
      }
      message.url = address
      return pages(message, response)
    }
    if (!isTracing()) return answered()
    const asked = { method: message.method ?? 'GET', route: match.found ? match.route : null, path }
    return tracedRequest(asked, message.headers, response, answered)
  }
}

const withoutBody = (): Response => new Response(null, { status: 429, headers: { 'retry-after': '1' } })

/** The API key, or the client address (not a proxy's address), to which unread bytes are attributed. */
const callerOf = ({ headers }: IncomingMessage): string =>
  headers.authorization ?? clientAddress({ headers: { get: (name) => String(headers[name] ?? '') } })

/**
 * Whether the response may be large. Only the response to a list request with a `limit` can be large, because the
 * default limit is ten items.
 */
const mayBeLarge = ({ method }: IncomingMessage, address: string): boolean => {
  const query = address.indexOf('?')
  return (
    query !== -1 && (method === 'GET' || method === 'HEAD') && new URLSearchParams(address.slice(query)).has('limit')
  )
}

/** Counts Host headers in the raw headers, because `headers` keeps only the first Host header. */
const hostLines = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length

async function close(server: Server, sockets: ReadonlySet<Socket>, drainMs: number, lingerMs: number): Promise<void> {
  const began = performance.now()
  const graceMs = Math.min(lingerMs, drainMs)
  const acceptedAt = new WeakMap<Socket, number>()
  server.on('connection', (socket: Socket) => acceptedAt.set(socket, performance.now()))
  let isListening = true
  await new Promise<void>((resolve) => {
    const stopListening = () => {
      if (isListening) server.close(finish)
      isListening = false
    }
    const sweep = () => {
      const now = performance.now()
      if (now < began + graceMs) return
      stopListening()
      server.closeIdleConnections()
      // Cuts connections without a request after `graceMs`, because Node.js does not count these connections as idle.
      // Until then, the client may be sending its first request.
      for (const socket of sockets)
        if (socket.bytesRead === 0 && now >= (acceptedAt.get(socket) ?? began) + graceMs) socket.destroy()
    }
    const cut = () => {
      stopListening()
      server.closeAllConnections()
    }
    if (graceMs === 0) stopListening()
    // `setImmediate` runs `sweep` after pending reads. A timer alone could cut a connection whose request has arrived
    // but was not read yet.
    const sweeps = setInterval(() => setImmediate(sweep), 20)
    const cuts = setTimeout(cut, drainMs)
    function finish() {
      clearInterval(sweeps)
      clearTimeout(cuts)
      resolve()
    }
  })
}

/** Responds to an unexpected error with 500 and no details. Cuts the connection if part of the response was sent. */
function fail(response: ServerResponse, always: Headers): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const requestId = randomUUID()
  const body = JSON.stringify({ code: 'internal', message: 'Something went wrong on our side.', requestId })
  for (const name of response.getHeaderNames()) if (name !== 'connection') response.removeHeader(name)
  response.writeHead(500, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'request-id': requestId,
    ...always,
  })
  response.end(body)
}

const brokenRequests: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Responds to invalid, oversized, or slow requests with the status that Node.js would choose. */
function refuseBytes({ code }: NodeJS.ErrnoException, socket: Duplex, always: Headers): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = brokenRequests[code ?? ''] ?? 400
  const lines = Object.entries(always).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, 'Content-Length: 0']
  socket.end(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`, () => socket.destroy())
}
