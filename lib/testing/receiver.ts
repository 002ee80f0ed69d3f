import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { listenOn } from './listen-on.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads bodies of every shape
  readonly body: any
}

export type Answer = (response: ServerResponse, received: Received, n: number) => unknown

export const answered =
  (status: number, headers: Record<string, string> = {}, text = ''): Answer =>
  (response) =>
    response.writeHead(status, headers).end(text)

/** A merchant's server on a free local port. A test can set `answer` at any time. `close` cuts open connections. */
export async function aReceiver(answer: Answer = answered(200), tls?: { key: string; cert: string }, listenAt = 0) {
  const requests: Received[] = []
  const receiver = { answer, requests, mostAtOnce: 0 }
  let atOnce = 0
  const listener: Parameters<typeof createServer>[1] = (request, response) => {
    const chunks: Buffer[] = []
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, ++atOnce)
    response.on('close', () => atOnce--)
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const body = request.headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : undefined
      const received = { path: request.url ?? '', headers: request.headers, text, body }
      requests.push(received)
      receiver.answer(response, received, requests.length - 1)
    })
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  await listenOn(server, listenAt)
  const { port } = server.address() as AddressInfo
  return Object.assign(receiver, {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    events: () => requests.filter(({ body }) => body?.eventName !== 'webhook.setup'),
    /**
     * The names of the events in the order of their first arrival. Each event counts once, because after a crash an
     * event may be sent again with the same id.
     */
    eventsAt: (path: string): string[] => {
      const byId = new Map(requests.toReversed().map((request) => [request.headers['service-event-id'], request]))
      return requests
        .filter((request) => request.path === path && byId.get(request.headers['service-event-id']) === request)
        .flatMap(({ body }) => (body?.eventName === 'webhook.setup' ? [] : body.eventName))
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

export type Receiver = Awaited<ReturnType<typeof aReceiver>>

export function isSigned({ headers, text }: Received, secret: string): boolean {
  const [first = '', ...signatures] = String(headers['service-signature']).split(',')
  const t = first.slice('t='.length)
  const isFresh = Math.abs(Date.now() / 1000 - Number(t)) < 300
  return isFresh && signatures.includes(`v1=${createHmac('sha256', secret).update(`${t}.`).update(text).digest('hex')}`)
}
