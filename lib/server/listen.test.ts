import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reported, start } from '../testing/raw-requests.ts'
import type { Listener } from './listen.ts'

let listener: Listener
let base: string

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

  it.each([
    '/docs/../metrics',
    '/./livez',
    '/docs/%2e%2E/livez',
    '/docs/x/..',
    '/docs\\..\\livez',
    '/docs/..\\livez?x',
    '/v1/../metrics',
    '/v1/%2e%2e/livez',
    '/v1/echo/..',
    '/v1/echo/%2e%2E',
    '/v1/echo/.',
    '/v1/echo\\..\\echo/1',
    '/v1/./echo/1',
    'http://x/v1/echo/..',
  ])(
    'the path %s gets 404 from the server, because a proxy may have compared the path before its dots are resolved',
    async (path) => {
      const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 404 /)
      expect(answer).not.toContain('page ')
    },
  )

  it.each(['/docs/a.b', '/docs/..a', '/.well-known/x', '/docs?x=/../y'])(
    'the handler of pages answers a request for %s, which has dots but no segment of only dots',
    async (path) => {
      const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      expect(answer.split('\r\n\r\n')[1]).toBe(`page ${path}`)
    },
  )

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
