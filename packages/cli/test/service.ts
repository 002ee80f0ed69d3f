import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exampleEvent } from '@billhook/sdk/testing'

type Event = ReturnType<typeof exampleEvent>

const eventId = (number: number): string => `webhook_event_${String(number).padStart(22, '0')}`

/** A fake service that lists events. The service can restart on the same port. */
export class EventService {
  readonly key = 'test_key_of_the_stand_in'
  events: Event[] = []
  requests = 0
  /** The number of upcoming requests whose connection ends without a response. */
  dropped = 0
  private server: Server | undefined
  private port = 0

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      this.requests++
      if (this.dropped > 0) {
        this.dropped--
        request.socket.destroy()
      } else this.answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
    this.server = server
  }

  async stop(): Promise<void> {
    await ending(this.server)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Adds an event. To simulate a late commit, add an event with a smaller number than an earlier event. */
  add(number: number, name: Parameters<typeof exampleEvent>[0] = 'order.paid'): string {
    const event = { ...exampleEvent(name), id: eventId(number) }
    this.events = [...this.events, event].sort((a, b) => (a.id < b.id ? 1 : -1))
    return event.id
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const [status, body] = this.answerTo(new URL(request.url ?? '', this.url), request.headers.authorization)
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(body))
  }

  private answerTo(url: URL, authorization: string | undefined): [number, object] {
    if (authorization !== `Bearer ${this.key}`)
      return [401, { code: 'unauthenticated', message: 'The API key is missing or invalid.' }]
    if (url.pathname === '/v1/test-helpers/clock') return [200, { now: '2027-01-01T00:00:00Z' }]
    const [, id] = /^\/v1\/webhook-events\/(\w+)$/.exec(url.pathname) ?? []
    if (id === undefined) return [200, this.page(url.searchParams)]
    const event = this.events.find((each) => each.id === id)
    return event ? [200, event] : [404, { code: 'not_found', message: 'There is no such event.' }]
  }

  private page(query: URLSearchParams): object {
    const limit = Number(query.get('limit') ?? 10)
    const [before, after] = [query.get('endingBefore'), query.get('startingAfter')]
    const found = this.events.filter(({ id }) => (before === null || id > before) && (after === null || id < after))
    const data = before === null ? found.slice(0, limit) : found.slice(-limit)
    const more = found.length > limit ? { href: this.url, type: 'application/json' } : null
    const links = {
      self: { href: this.url, type: 'application/json' },
      next: before === null ? more : null,
      prev: before === null ? null : more,
    }
    return { data, count: data.length, links }
  }
}

/** A merchant's receiver, which stores each delivery. */
export class Receiver {
  readonly deliveries: { readonly header: string; readonly body: string; readonly eventId: string }[] = []
  /** The statuses of the next responses. If the list is empty, the status is 204. */
  statuses: number[] = []
  private server: Server | undefined
  private port = 0

  async start(): Promise<string> {
    const server = createServer(async (request, response) => {
      const body = await text(request)
      const header = String(request.headers['service-signature'])
      this.deliveries.push({ header, body, eventId: String(request.headers['service-event-id']) })
      response.writeHead(this.statuses.shift() ?? 204)
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
    this.server = server
    return `http://127.0.0.1:${this.port}/webhooks`
  }

  get ids(): string[] {
    return this.deliveries.map(({ eventId }) => eventId)
  }

  async stop(): Promise<void> {
    await ending(this.server)
  }
}

async function ending(server: Server | undefined): Promise<void> {
  if (!server) return
  const ended = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await ended
}
