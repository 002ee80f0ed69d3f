import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { Collector } from '../platform/config-telemetry.ts'
import { type Answer, answered, aReceiver } from '../testing/receiver.ts'
import { selfSigned } from '../testing/self-signed.ts'
import { OtlpError, otlpSender } from './otlp-sender.ts'

const opened: { close: () => unknown }[] = []
const keep = <One extends { close: () => unknown }>(one: One): One => {
  opened.push(one)
  return one
}
const to = (url: string, differences: Partial<Collector> = {}): Collector => ({
  url,
  headers: {},
  timeoutMs: 10_000,
  isCompressed: false,
  tls: {},
  ...differences,
})
const failureOf = async (sending: Promise<void>) => {
  const error = await sending.then(
    () => null,
    (error: unknown) => error,
  )
  if (error !== null && !(error instanceof OtlpError)) throw error
  return error && { message: error.message, isRetryable: error.isRetryable }
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

describe('a collector', () => {
  it('gets JSON, with the headers that it wants', async () => {
    const collector = keep(await aReceiver())
    const send = otlpSender(to(collector.url, { headers: { authorization: 'Bearer a', 'x-scope': 'b' } }))
    await send({ text: 'ü' })
    expect(collector.requests).toMatchObject([
      {
        path: '/hook',
        headers: {
          'content-type': 'application/json',
          'content-length': '13',
          authorization: 'Bearer a',
          'x-scope': 'b',
        },
        body: { text: 'ü' },
      },
    ])
  })

  it('gets it compressed, if it wants', async () => {
    const bodies: Buffer[] = []
    const server = keep(
      createServer(async (request, response) => {
        expect(request.headers['content-encoding']).toBe('gzip')
        for await (const chunk of request) bodies.push(chunk)
        response.end('{}')
      }).listen(0, '127.0.0.1'),
    )
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`
    await otlpSender(to(url, { isCompressed: true }))({ a: 1 })
    server.closeAllConnections()
    expect(gunzipSync(Buffer.concat(bodies)).toString()).toBe('{"a":1}')
  })

  it('is checked by the authority of the configuration', async () => {
    const collector = keep(await aReceiver(undefined, selfSigned))
    const { url } = collector
    expect(await failureOf(otlpSender(to(url))({}))).toMatchObject({
      // A newer Node.js adds advice.
      message: expect.stringMatching(/^self-signed certificate/),
    })
    await otlpSender(to(url, { tls: { ca: selfSigned.cert } }))({})
    expect(collector.requests).toHaveLength(1)
  })

  const final = { isRetryable: false }
  const retryable = { isRetryable: true }
  it.each<[string, Answer, object | null, Partial<Collector>?]>([
    ['answers 200', answered(200), null],
    ['answers 202', answered(202), null],
    ['answers 302', answered(302, { location: '/elsewhere' }), { message: 'answered 302', ...final }],
    ['answers 400', answered(400, {}, 'secret words'), { message: 'answered 400', ...final }],
    ['answers 401', answered(401), { message: 'answered 401', ...final }],
    ['answers 404', answered(404), { message: 'answered 404', ...final }],
    ['answers 429', answered(429), { message: 'answered 429', ...retryable }],
    ['answers 500', answered(500), { message: 'answered 500', ...final }],
    ['answers 503', answered(503), { message: 'answered 503', ...retryable }],
    ['does not answer', () => undefined, { message: 'no answer within 50 ms', ...retryable }, { timeoutMs: 50 }],
    [
      'does not finish its answer',
      (response) => response.writeHead(200).write('{'),
      { message: 'no answer within 50 ms', ...retryable },
      { timeoutMs: 50 },
    ],
    ['ends the connection', (response) => response.destroy(), { message: 'socket hang up', ...retryable }],
  ])('that %s', async (_, answer, failure, differences) => {
    const collector = keep(await aReceiver(answer))
    expect(await failureOf(otlpSender(to(collector.url, differences))({}))).toEqual(failure)
  })

  it('that is not there may be there later', async () => {
    const collector = await aReceiver()
    await collector.close()
    expect(await failureOf(otlpSender(to(collector.url))({}))).toMatchObject({
      message: expect.stringContaining('ECONNREFUSED'),
      ...retryable,
    })
  })
})
