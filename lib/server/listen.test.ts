import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientAddress } from '../platform/http/client-address.ts'
import { type Listener, type ListenOptions, listen } from './listen.ts'
import type { ServedRequest } from './request-metrics.ts'
import type { RouteFile, RouteFunction } from './router.ts'

const reported: unknown[] = []
let listener: Listener
let base: string
const waiting: (() => void)[] = []

const GET: RouteFunction = async (request, { params }) =>
  Response.json({
    method: request.method,
    url: request.url,
    params: await params,
    agent: request.headers.get('x-agent'),
  })

const routes: RouteFile[] = [
  {
    path: '/v1/echo/[id]',
    methods: {
      GET,
      POST: async (request: Request) => new Response(await request.arrayBuffer(), { status: 201 }),
      DELETE: () => new Response(null, { status: 204 }),
    },
  },
  {
    path: '/v1/cookies',
    methods: {
      GET: () =>
        new Response('', {
          headers: [
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
            ['request-id', 'r'],
          ],
        }),
    },
  },
  { path: '/v1/refuses', methods: { POST: () => new Response('no', { status: 401 }) } },
  {
    path: '/v1/limited',
    methods: {
      POST: async (request: Request) => {
        const reader = request.body?.getReader()
        await reader?.read()
        await reader?.cancel()
        return new Response('too much', { status: 413 })
      },
    },
  },
  {
    path: '/v1/breaks',
    methods: {
      GET: () => {
        throw new Error('the inside')
      },
    },
  },
  {
    path: '/v1/breaks-later',
    methods: {
      GET: () => {
        let pulls = 0
        const body = new ReadableStream({
          pull: (controller) =>
            ++pulls > 3 ? controller.error(new Error('the inside')) : controller.enqueue(new Uint8Array(10)),
        })
        return new Response(body)
      },
    },
  },
  {
    path: '/v1/waits',
    methods: {
      GET: () =>
        new Promise<Response>((resolve) => {
          waiting.push(() => resolve(new Response('done')))
        }),
    },
  },
  {
    path: '/v1/long',
    methods: {
      GET: () => {
        let left = 200
        const body = new ReadableStream({
          pull: (controller) =>
            left-- === 0 ? controller.close() : controller.enqueue(new Uint8Array(50_000).fill(120)),
        })
        return new Response(body)
      },
    },
  },
  { path: '/v1/large', methods: { GET: () => new Response('x'.repeat(20 * 1024 * 1024)) } },
  { path: '/v1/from', methods: { GET: (request: Request) => new Response(clientAddress(request)) } },
  { path: '/livez', methods: { GET: () => new Response('live') } },
]

const start = (options: Partial<ListenOptions> = {}): Promise<Listener> =>
  listen({
    port: 0,
    clientAddressHeader: 'x-seen-by-proxy',
    baseUrl: 'https://pay.example.com',
    routes,
    notRouted: (request, allow) =>
      Response.json(
        { url: request.url, allow },
        { status: allow.length > 0 ? 405 : 404, headers: { allow: allow.join(', ') } },
      ),
    pages: async (message, response) => {
      const headers = new Headers(message.headers as Record<string, string>)
      response.setHeader('x-from', clientAddress({ headers })).end(`page ${message.url}`)
    },
    report: (error) => reported.push(error),
    ...options,
  })

beforeAll(async () => {
  listener = await start()
  base = `http://127.0.0.1:${listener.port}`
})

afterAll(() => listener.close(0))

const raw = (text: string, port = listener.port): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })

it('if a listen address is set, the port is closed on all other addresses of the machine', async () => {
  const local = await start({ address: '127.0.0.1' })
  try {
    expect((await fetch(`http://127.0.0.1:${local.port}/page`)).status).toBe(200)
    await expect(fetch(`http://127.0.0.2:${local.port}/page`)).rejects.toThrow()
  } finally {
    await local.close(0)
  }
})

describe('a request to a route', () => {
  it('the URL of a request begins with PUBLIC_BASE_URL, whatever the Host header contains', async () => {
    const answer = await raw(
      'GET /v1/echo/order_1?a=1&a=%202 HTTP/1.1\r\nHost: evil.example\r\nX-Agent: one\r\nX-Agent: two\r\nConnection: close\r\n\r\n',
    )
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      method: 'GET',
      url: 'https://pay.example.com/v1/echo/order_1?a=1&a=%202',
      params: { id: 'order_1' },
      agent: 'one, two',
    })
  })

  it.each([
    ['http://evil.example/v1/echo/1', 'https://pay.example.com/v1/echo/1'],
    ['//evil.example/v1/echo/1', undefined],
  ])('the host in the request target %s is ignored', async (target, url) => {
    const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)
    const body = answer.split('\r\n\r\n')[1] ?? ''
    if (url) expect(JSON.parse(body).url).toBe(url)
    else expect(body).toBe('page //evil.example/v1/echo/1')
  })

  it('the client address comes from the trusted header, or from the connection if the request lacks this header', async () => {
    const from = async (headers: Record<string, string>) => (await fetch(`${base}/v1/from`, { headers })).text()
    expect(await from({ 'Billhook-Client-Address': '1.1.1.1', 'X-Forwarded-For': '1.1.1.1' })).toBe('127.0.0.1')
    expect(await from({ 'Billhook-Client-Address': '1.1.1.1', 'X-Seen-By-Proxy': '1.1.1.1, 2.2.2.2' })).toBe('2.2.2.2')
  })

  it('a route receives the complete request body, with a content length or in chunks', async () => {
    const body = new Uint8Array(900_000).map((_, index) => index % 251)
    const answer = await fetch(`${base}/v1/echo/1`, { method: 'POST', body })
    expect(answer.status).toBe(201)
    expect(Buffer.compare(new Uint8Array(await answer.arrayBuffer()), body)).toBe(0)

    const chunked = await raw(
      'POST /v1/echo/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    )
    expect(chunked).toMatch(/^HTTP\/1\.1 201 [\s\S]*content-length: 5[\s\S]*\r\n\r\nabcde$/i)
  })

  it('the connection stays open if a route refuses a request without reading the body', async () => {
    const body = 'x'.repeat(2_000_000)
    const answer = await raw(
      `POST /v1/refuses HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\n\r\nnoHTTP\/1\.1 200 [\s\S]*\r\n\r\nlive$/)
  })

  it('the connection stays open if a route refuses a request before the whole body has arrived', async () => {
    const body = 'x'.repeat(2_000_000)
    const answer = await raw(
      `POST /v1/limited HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\n\r\ntoo muchHTTP\/1\.1 200 [\s\S]*\r\n\r\nlive$/)
  })

  it('a route receives an empty body if the request has no body', async () => {
    const answer = await fetch(`${base}/v1/echo/1`, { method: 'POST' })
    expect(await answer.text()).toBe('')
    expect(answer.headers.get('content-length')).toBe('0')
  })
})

describe('a response', () => {
  it.each(['/v1/echo/1', '/v1/nothing', '/v1/breaks', '/livez', '/page'])(
    'the response to %s has X-Content-Type-Options: nosniff',
    async (path) => {
      expect((await fetch(base + path)).headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  it.each([
    ['no HTTP at all', 'GARBAGE\r\n\r\n', 400],
    ['a request without a host', 'GET /livez HTTP/1.1\r\n\r\n', 400],
    ['a request with two different hosts', 'GET /livez HTTP/1.1\r\nHost: a.example\r\nHOST: b.example\r\n\r\n', 400],
    ['a request with the same host twice', 'GET /livez HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n', 400],
    ['a request whose header value is "host"', 'GET /livez HTTP/1.0\r\nX-A: host\r\nHost: x\r\n\r\n', 200],
    ['an unknown expectation', 'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n', 200],
    ['a head that is too long', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('the raw response to %s has X-Content-Type-Options: nosniff', async (_, bytes, status) => {
    expect(await raw(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*X-Content-Type-Options: nosniff`, 'i'))
  })

  describe('a server with an https base URL', () => {
    const strict = 'max-age=31536000'
    const listenAt = async (baseUrl: string) => {
      const pages = async (message: IncomingMessage, response: ServerResponse) => {
        if (message.url === '/broken') throw new Error('a page that breaks')
        response.writeHead(200, { 'content-type': 'text/html' }).end('page')
      }
      const opened = await start({ baseUrl, pages, report: () => undefined })
      return { opened, at: (path: string) => fetch(`http://127.0.0.1:${opened.port}${path}`) }
    }

    it.each(['/v1/echo/1', '/v1/nothing', '/v1/breaks', '/livez', '/page', '/broken', '/_next/static/x.js'])(
      'the response to %s has a Strict-Transport-Security header for a year',
      async (path) => {
        const { opened, at } = await listenAt('https://pay.example.com')
        expect((await at(path)).headers.get('strict-transport-security')).toBe(strict)
        await opened.close(0)
      },
    )

    it('the 400 response to bytes that are not HTTP has Strict-Transport-Security', async () => {
      const { opened } = await listenAt('https://pay.example.com')
      expect(await raw('GARBAGE\r\n\r\n', opened.port)).toContain(`strict-transport-security: ${strict}`)
      await opened.close(0)
    })

    it.each(['http://localhost:3000', 'http://127.0.0.1:3000'])(
      'a server with the base URL %s sends no Strict-Transport-Security header',
      async (baseUrl) => {
        const { opened, at } = await listenAt(baseUrl)
        expect((await at('/livez')).headers.get('strict-transport-security')).toBeNull()
        await opened.close(0)
      },
    )
  })

  it('a response with status 204 has no body and no length', async () => {
    const answer = await fetch(`${base}/v1/echo/1`, { method: 'DELETE' })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('content-length')).toBeNull()
  })

  it('a response keeps its headers, and keeps several cookies separate', async () => {
    const { headers } = await fetch(`${base}/v1/cookies`)
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(headers.get('request-id')).toBe('r')
  })

  it('the response to HEAD equals the response to GET without the body', async () => {
    const get = await fetch(`${base}/v1/echo/1`)
    const head = await fetch(`${base}/v1/echo/1`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect(await head.text()).toBe('')
  })

  it('a response of several megabytes arrives completely', async () => {
    const answer = await fetch(`${base}/v1/long`)
    expect((await answer.text()).length).toBe(10_000_000)
  })

  it('an error in a handler is reported and causes a 500 response without details', async () => {
    const answer = await fetch(`${base}/v1/breaks`)
    expect(answer.status).toBe(500)
    const body = await answer.json()
    expect(body).toMatchObject({ code: 'internal', requestId: answer.headers.get('request-id') })
    expect(JSON.stringify(body)).not.toContain('inside')
    expect(reported).toContainEqual(new Error('the inside'))
  })

  it('the connection is closed if a response fails midway, so that the client notices the missing part', async () => {
    await expect(fetch(`${base}/v1/breaks-later`).then((answer) => answer.arrayBuffer())).rejects.toThrow()
  })
})

describe('paths and methods of requests', () => {
  it.each([
    ['GET', '/v1', 404],
    ['GET', '/v1/nothing', 404],
    ['PATCH', '/v1/echo/1', 405],
  ])('%s %s gets status %i', async (method, path, status) => {
    const answer = await fetch(base + path, { method })
    expect(answer.status).toBe(status)
    expect((await answer.json()).url).toBe(`https://pay.example.com${path}`)
  })

  it('a method that fetch does not support, such as TRACE, gets the same 405 response as other unsupported methods', async () => {
    const answer = await raw('TRACE /v1/echo/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 405 [\s\S]*allow: GET, HEAD, POST, DELETE/)
  })

  it.each(['/', '/v10', '/livez/x', '/checkout/abc?x=1'])(
    'the handler of pages answers a request for %s',
    async (path) => {
      expect(await (await fetch(base + path)).text()).toBe(`page ${path}`)
    },
  )

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('a page refuses the method %s with 405', async (method) => {
    const answer = await fetch(`${base}/checkout/abc`, { method })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  it.each([
    ['/checkout/%zz', 'page /checkout/%25zz'],
    ['/checkout/%E0%A4%A?x=%zz', 'page /checkout/%25E0%25A4%25A?x=%zz'],
    ['http://evil.example/checkout/a%20b', 'page /checkout/a%20b'],
  ])('the handler of pages can decode the path of the request target %s', async (path, body) => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(answer.split('\r\n\r\n')[1]).toBe(body)
  })

  it('an id with an invalid percent escape reaches the route unchanged', async () => {
    expect((await (await fetch(`${base}/v1/echo/%zz`)).json()).params).toEqual({ id: '%zz' })
  })

  it('a request target without a path gets 404', async () => {
    expect(await raw('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 404 /)
  })
})

describe('a connection', () => {
  it.each(['websocket', 'h2c'])(
    'a request to upgrade to %s gets a normal response without an upgrade',
    async (protocol) => {
      let answers = ''
      const socket = connect(listener.port, '127.0.0.1', () =>
        socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`),
      )
      socket.once('data', () => socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'))
      socket.on('data', (chunk) => {
        answers += chunk
      })
      await new Promise((resolve) => socket.once('close', resolve))
      expect(answers).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nliveHTTP\/1\.1 200 [\s\S]*\r\n\r\nlive$/)
    },
  )

  it('the server closes a connection whose request body stops arriving', async () => {
    const impatient = await start({ idleSocketMs: 50 })
    const socket = connect(impatient.port, '127.0.0.1', () =>
      socket.write('POST /v1/echo/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf'),
    )
    await new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve))
    await impatient.close(0)
  })
})

it('the handler of a page receives the client address', async () => {
  const { headers } = await fetch(base, { headers: { 'Billhook-Client-Address': '1.1.1.1' } })
  expect(headers.get('x-from')).toBe('127.0.0.1')
})

describe('the connection limit of an address', () => {
  interface Connection {
    ask(path: string): Promise<'answered' | 'ended'>
    readonly ended: Promise<'ended'>
    close(): void
  }

  const connected = (port: number) =>
    new Promise<Connection>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve({ ask, ended, close: () => void socket.destroy() }))
      const ended = new Promise<'ended'>((done) =>
        socket.on('error', () => undefined).once('close', () => done('ended')),
      )
      const ask: Connection['ask'] = (path) => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
        return Promise.race([ended, new Promise<'answered'>((done) => socket.once('data', () => done('answered')))])
      }
    })

  it('at the connection limit of a client address, a new connection closes the connection with the longest idle time', async () => {
    const limited = await start({ maxConnectionsPerAddress: 3 })
    const silent = await connected(limited.port)
    const early = await connected(limited.port)
    const late = await connected(limited.port)
    expect(await early.ask('/livez')).toBe('answered')
    expect(await late.ask('/livez')).toBe('answered')
    expect(await (await connected(limited.port)).ask('/livez')).toBe('answered')
    expect(await silent.ended).toBe('ended')
    expect(await early.ask('/livez')).toBe('answered')
    expect(await (await connected(limited.port)).ask('/livez')).toBe('answered')
    expect(await late.ended).toBe('ended')
    await limited.close(0)
  })

  it('at the connection limit of a client address, a connection with a pipelined request in progress is not closed', async () => {
    const limited = await start({ maxConnectionsPerAddress: 1 })
    const socket = connect(limited.port, '127.0.0.1', () =>
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/waits HTTP/1.1\r\nHost: x\r\n\r\n'),
    )
    let answers = ''
    socket.on('data', (chunk) => {
      answers += chunk
    })
    await expect.poll(() => waiting.length).toBe(1)
    await expect.poll(() => answers).toMatch(/live$/)
    expect(await (await connected(limited.port)).ask('/livez')).toBe('ended')
    for (const finish of waiting.splice(0)) finish()
    await expect.poll(() => answers.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    socket.destroy()
    await limited.close(0)
  })

  it('at the connection limit of a client address, a new connection is closed if all others have requests in progress', async () => {
    const limited = await start({ maxConnectionsPerAddress: 2 })
    const asked = await Promise.all([connected(limited.port), connected(limited.port)])
    const answers = asked.map((each) => each.ask('/v1/waits'))
    await expect.poll(() => waiting.length).toBe(2)
    expect(await (await connected(limited.port)).ask('/livez')).toBe('ended')
    for (const finish of waiting.splice(0)) finish()
    expect(await Promise.all(answers)).toEqual(['answered', 'answered'])
    await expect.poll(async () => (await connected(limited.port)).ask('/livez')).toBe('answered')
    await limited.close(0)
  })

  it('a client address at its connection limit can open a new connection after it closes one', async () => {
    const limited = await start({ maxConnectionsPerAddress: 1 })
    const only = await connected(limited.port)
    const answer = only.ask('/v1/waits')
    await expect.poll(() => waiting.length).toBe(1)
    only.close()
    expect(await answer).toBe('ended')
    waiting.splice(0)
    await expect.poll(async () => (await connected(limited.port)).ask('/livez')).toBe('answered')
    await limited.close(0)
  })
})

/** Sends the first request immediately and one more request per message, all on one connection. Posts each response to the parent thread. */
const busyClient = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { port, sent } = workerData
  const socket = require('node:net').connect(port, '127.0.0.1')
  const ask = (done) => socket.write('GET /livez HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', done)
  socket.on('data', (bytes) => parentPort.postMessage(String(bytes)))
  socket.on('error', ({ code }) => parentPort.postMessage(code))
  socket.on('close', () => parentPort.postMessage('closed'))
  parentPort.on('message', () => ask(() => {
    Atomics.store(sent, 0, 1)
    Atomics.notify(sent, 0)
  }))
  ask()`

describe('a server that is shutting down', () => {
  it('during a shutdown, the server finishes a running request and accepts no new connection', async () => {
    const closing = await start()
    const address = `http://127.0.0.1:${closing.port}`
    const slow = fetch(`${address}/v1/waits`)
    const fast = await fetch(`${address}/livez`)
    expect(await fast.text()).toBe('live')
    await expect.poll(() => waiting.length).toBe(1)
    const closed = closing.close(30_000)
    await expect(fetch(`${address}/livez`)).rejects.toThrow()
    waiting.pop()?.()
    expect(await (await slow).text()).toBe('done')
    await closed
  })

  it('during a shutdown, the server answers one more request per connection with Connection: close', async () => {
    const closing = await start()
    const socket = connect(closing.port, '127.0.0.1')
    const said: string[] = []
    socket.on('data', (text) => said.push(String(text)))
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => said.join('')).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: keep-alive[\s\S]*live$/)
    said.length = 0
    const closed = closing.close(30_000, 20_000)
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await ended
    expect(said.join('')).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close[\s\S]*live$/)
    await closed
  })

  it('during a shutdown, the server closes idle connections after the linger time', async () => {
    const closing = await start()
    const socket = connect(closing.port, '127.0.0.1')
    const ended = new Promise((resolve) => socket.once('close', resolve))
    await new Promise((resolve) => socket.once('connect', resolve))
    await closing.close(30_000, 50)
    await ended
  })

  it('during a shutdown, the server answers a request that arrived while its event loop was blocked', async () => {
    const closing = await start()
    const sent = new Int32Array(new SharedArrayBuffer(4))
    const client = new Worker(busyClient, { eval: true, workerData: { port: closing.port, sent } })
    const said = () => new Promise((resolve, reject) => client.once('message', resolve).once('error', reject))
    expect(await said()).toMatch(/^HTTP\/1\.1 200 /)
    const lingerMs = 50
    const closed = closing.close(30_000, lingerMs)
    const lingersUntil = performance.now() + lingerMs
    const answer = said()
    client.postMessage('ask again')
    expect(Atomics.wait(sent, 0, 0, 60_000)).not.toBe('timed-out')
    // Blocks the event loop of this thread until the idle connection is due to be closed.
    while (performance.now() <= lingersUntil);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/)
    await closed
    await client.terminate()
  })

  it('during a shutdown, the server aborts requests that do not finish in time', async () => {
    const closing = await start()
    const slow = fetch(`http://127.0.0.1:${closing.port}/v1/waits`)
    slow.catch(() => 'asserted below')
    await expect.poll(() => waiting.length).toBe(1)
    await closing.close(50)
    await expect(slow).rejects.toThrow()
  })
})

describe('the report of a request', () => {
  const served: ServedRequest[] = []
  let counting: Listener
  let root: string
  beforeAll(async () => {
    counting = await start({ served: (request) => served.push(request) })
    root = `http://127.0.0.1:${counting.port}`
  })
  afterAll(() => counting.close(0))

  it('the server reports the method, route, and status of each request to the callback `served`', async () => {
    await fetch(`${root}/v1/echo/ada`, { method: 'POST', body: 'x' })
    await fetch(`${root}/v1/nothing`)
    await fetch(`${root}/checkout/secret`)
    await fetch(`${root}/v1/breaks`)
    await expect.poll(() => served.length).toBe(4)
    for (const { seconds } of served) expect(seconds).toBeGreaterThan(0)
    expect(served.splice(0).map(({ method, route, status }) => [method, route, status])).toEqual([
      ['POST', '/v1/echo/[id]', 201],
      ['GET', null, 404],
      ['GET', null, 200],
      ['GET', '/v1/breaks', 500],
    ])
  })

  it('the server reports a request without a status to the callback `served` if the client disconnects', async () => {
    const before = waiting.length
    const leaving = new AbortController()
    const left = fetch(`${root}/v1/waits`, { signal: leaving.signal }).catch(() => 'left')
    await expect.poll(() => waiting.length).toBe(before + 1)
    leaving.abort()
    expect(await left).toBe('left')
    await expect.poll(() => served.map(({ route, status }) => [route, status])).toEqual([['/v1/waits', null]])
    waiting.pop()?.()
  })
})

describe('unread responses', () => {
  const asking = (value: string, header = 'authorization') =>
    new Promise<Socket>((resolve, reject) => {
      const request = `GET /v1/large HTTP/1.1\r\nHost: a\r\n${header}: ${value}\r\n\r\n`
      const socket = connect(listener.port, '127.0.0.1', () => socket.write(request))
      socket.on('error', reject).once('data', () => resolve(socket.pause()))
    })
  const statusFor = async (value: string, header = 'authorization') =>
    (await fetch(`${base}/v1/echo/1`, { headers: { [header]: value } })).status

  it('a caller with too many unread bytes gets 429 until the caller reads the bytes', async () => {
    const unread = [await asking('one'), await asking('one')]
    expect([await statusFor('one'), await statusFor('other')]).toEqual([429, 200])
    const refused = await fetch(`${base}/v1/echo/1`, { headers: { authorization: 'one' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    for (const socket of unread) socket.destroy()
    await expect.poll(() => statusFor('one')).toBe(200)
  })

  it('without an API key, unread responses count for the client address, not for the proxy address', async () => {
    const [one, other] = ['198.51.100.1', '198.51.100.2']
    const unread = [await asking(one, 'x-seen-by-proxy'), await asking(one, 'x-seen-by-proxy')]
    expect([await statusFor(one, 'x-seen-by-proxy'), await statusFor(other, 'x-seen-by-proxy')]).toEqual([429, 200])
    for (const socket of unread) socket.destroy()
    await expect.poll(() => statusFor(one, 'x-seen-by-proxy')).toBe(200)
  })

  it('at most four long lists per caller are built at the same time, and every list is sent', async () => {
    const before = waiting.length
    const lists = `GET /v1/waits?%6Cimit=100 HTTP/1.1\r\nHost: a\r\nauthorization: lists\r\n\r\n`.repeat(6)
    let answers = ''
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(lists))
    socket.on('data', (chunk) => {
      answers += chunk
    })
    await expect.poll(() => waiting.length - before).toBeGreaterThanOrEqual(4)
    // Requests that do not need a long list, and requests of other callers, do not wait for the lists.
    expect([await statusFor('lists'), await statusFor('other')]).toEqual([200, 200])
    expect(waiting.length - before).toBe(4)
    waiting.pop()?.()
    await expect.poll(() => waiting.length - before).toBe(4)
    const left = async () => {
      while (waiting.length > before) waiting.pop()?.()
      return answers.split('done').length - 1
    }
    await expect.poll(left).toBe(6)
    socket.destroy()
  })

  it('responses do not count as unread after the client has read them', async () => {
    for (let time = 0; time < 4; time += 1) {
      const answer = await fetch(`${base}/v1/large`, { headers: { authorization: 'reader' } })
      expect((await answer.text()).length).toBe(20 * 1024 * 1024)
    }
    await expect.poll(() => statusFor('reader')).toBe(200)
  })
})
