import { clientAddress } from '../platform/http/client-address.ts'
import { type Listener, type ListenOptions, listen } from '../server/listen.ts'
import type { RouteFile, RouteFunction } from '../server/router.ts'

export const reported: unknown[] = []
export const waiting: (() => void)[] = []

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

export const start = (options: Partial<ListenOptions> = {}): Promise<Listener> =>
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
