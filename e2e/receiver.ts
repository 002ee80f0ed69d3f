import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly id: string
  readonly eventName: string
  readonly object: Record<string, unknown>
  readonly verified: boolean
}

export class MerchantServer {
  readonly received: Received[] = []
  answer: { status: number; body: string } = { status: 200, body: '' }
  private server: Server | undefined

  constructor(readonly secret: string) {}

  async start(port = 0): Promise<string> {
    this.server = createServer(async (request, response) => {
      if (request.method !== 'POST') {
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title><h1>The shop</h1>')
        return
      }
      let body = ''
      for await (const chunk of request) body += chunk
      const { id, eventName, object } = JSON.parse(body)
      const verified =
        this.verify(String(request.headers['service-signature']), body) && request.headers['service-event-id'] === id
      this.received.push({ id, eventName, object, verified })
      response.writeHead(this.answer.status).end(this.answer.body)
    })
    await new Promise<void>((resolve) => this.server?.listen(port, '127.0.0.1', resolve))
    return `http://localhost:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections()
    await new Promise((resolve) => this.server?.close(resolve))
  }

  private verify(header: string, body: string): boolean {
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
    if (!time || !signature || Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
    const expected = createHmac('sha256', this.secret).update(`${time}.${body}`).digest()
    return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
  }
}
