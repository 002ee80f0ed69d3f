import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import Fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { receiveWebhooks as onExpress } from './express.ts'
import { receiveWebhooks as onFastify } from './fastify.ts'
import type { WebhookEvent } from './index.ts'
import { exampleEvent, signedDelivery } from './testing.ts'
import { receiveWebhooks as onWeb } from './web.ts'
import { sign } from './webhooks.ts'

/**
 * These tests cover what the examples of the manual do not show: pings, large bodies, and incorrect use of an adapter.
 */

const secret = 'whsec_of_the_adapters'
const url = 'https://shop.example/webhooks'
const event = exampleEvent('order.paid')
const seen: WebhookEvent[] = []
const onEvent = (each: WebhookEvent) => {
  seen.push(each)
}
const servers: Server[] = []
afterEach(() => {
  seen.length = 0
  for (const server of servers.splice(0)) server.close()
})

async function addressOf(server: Server): Promise<string> {
  servers.push(server)
  if (!server.listening) await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
}
const posted = async (address: string, delivery: Request, body?: string) =>
  fetch(address, { method: 'POST', headers: delivery.headers, body: body ?? (await delivery.text()) })

describe('every adapter', () => {
  it('an SDK adapter answers the ping webhook.setup without calling onEvent', async () => {
    const ping = JSON.stringify({ id: 'webhook_event_1', eventName: 'webhook.setup', object: {} })
    const headers = { 'Service-Signature': await sign(ping, secret) }
    const response = await onWeb({ secret, onEvent })(new Request(url, { method: 'POST', headers, body: ping }))
    expect([response.status, seen]).toEqual([204, []])
  })

  it('an SDK adapter without a secret throws an error, so Billhook sends the event again', async () => {
    const receive = onWeb({ secret: undefined, onEvent })
    await expect(receive(await signedDelivery(url, secret, event))).rejects.toThrow('secret')
  })

  it('an SDK adapter rethrows the error that onEvent throws', async () => {
    const failing = () => Promise.reject(new Error('the database is away'))
    const receive = onWeb({ secret, onEvent: failing })
    await expect(receive(await signedDelivery(url, secret, event))).rejects.toThrow('the database is away')
  })

  it('an SDK adapter refuses a body above 4 MiB before it checks the signature', async () => {
    const body = 'x'.repeat(4 * 1024 * 1024 + 1)
    expect((await onWeb({ secret, onEvent })(new Request(url, { method: 'POST', body }))).status).toBe(413)
    const address = await addressOf(createServer(onExpress({ secret, onEvent })).listen(0))
    expect((await fetch(address, { method: 'POST', body })).status).toBe(413)
  })
})

describe('the adapter for Express', () => {
  it('the Express adapter reads the request body, or uses the bytes of express.raw()', async () => {
    const app = express()
    app.post('/webhooks', onExpress({ secret, onEvent }))
    app.post('/raw/webhooks', express.raw({ type: '*/*' }), onExpress({ secret, onEvent }))
    const address = await addressOf(app.listen(0))
    expect((await posted(address, await signedDelivery(url, secret, event))).status).toBe(204)
    const raw = address.replace('/webhooks', '/raw/webhooks')
    expect((await posted(raw, await signedDelivery(url, secret, event))).status).toBe(204)
    expect(seen).toEqual([event, event])
  })

  it('the Express adapter explains that a body parser has consumed the body', async () => {
    const app = express()
    const errors: string[] = []
    app.use(express.json({ limit: '1mb' }))
    app.post('/webhooks', onExpress({ secret, onEvent }))
    app.use((error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
      errors.push(error.message)
      response.sendStatus(500)
    })
    const address = await addressOf(app.listen(0))
    expect((await posted(address, await signedDelivery(url, secret, event))).status).toBe(500)
    expect(errors).toEqual([expect.stringContaining('before express.json()')])
  })
})

describe('the adapter for Fastify', () => {
  it('the Fastify adapter does not change the JSON parser of other routes', async () => {
    const app = Fastify()
    app.register(onFastify({ path: '/webhooks', secret, onEvent }))
    app.post('/other', async (request) => ({ got: request.body }))
    const delivery = await signedDelivery(url, secret, event)
    const headers = Object.fromEntries(delivery.headers)
    const payload = await delivery.text()
    expect((await app.inject({ method: 'POST', url: '/webhooks', headers, payload })).statusCode).toBe(204)
    const other = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })
    expect(other.json()).toEqual({ got: { a: 1 } })
    expect(seen).toEqual([event])
  })
})
