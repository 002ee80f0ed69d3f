import { describe, expect, it } from 'vitest'
import { type RouteFile, router } from './router.ts'

const answer = () => new Response()
const file = (path: string, ...methods: string[]): RouteFile => ({
  path,
  methods: Object.fromEntries(methods.map((method) => [method, answer])),
})

describe('the router', () => {
  const route = router([
    file('/v1/orders', 'GET', 'POST'),
    file('/v1/orders/[id]', 'GET'),
    file('/v1/orders/[id]/refunds', 'POST'),
    file('/v1/orders/open', 'GET'),
    file('/v1/customers/[id]/subscriptions/[subscriptionId]', 'GET'),
    file('/v1/openapi.json', 'GET'),
  ])

  it.each([
    ['GET', '/v1/orders', '/v1/orders', {}],
    ['POST', '/v1/orders', '/v1/orders', {}],
    ['GET', '/v1/orders/order_1', '/v1/orders/[id]', { id: 'order_1' }],
    ['GET', '/v1/orders/open', '/v1/orders/open', {}],
    ['POST', '/v1/orders/open/refunds', '/v1/orders/[id]/refunds', { id: 'open' }],
    [
      'GET',
      '/v1/customers/a/subscriptions/b',
      '/v1/customers/[id]/subscriptions/[subscriptionId]',
      { id: 'a', subscriptionId: 'b' },
    ],
    ['GET', '/v1/openapi.json', '/v1/openapi.json', {}],
    ['GET', '/v1/orders/a%20b', '/v1/orders/[id]', { id: 'a b' }],
    ['GET', '/v1/orders/a%2Fb', '/v1/orders/[id]', { id: 'a/b' }],
    ['GET', '/v1/orders/__proto__', '/v1/orders/[id]', { id: '__proto__' }],
    ['HEAD', '/v1/orders', '/v1/orders', {}],
  ])('the router finds %s %s as the route %s with the parameters %j', (method, path, name, params) => {
    expect(route(method, path)).toEqual({ found: answer, route: name, params })
  })

  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/orders/',
    '/v1//orders',
    '/v1/orders//refunds',
    '/v1/orders/order_1/other',
    '/v1/ORDERS',
    '/v1/constructor',
    '/v2/orders',
  ])('the router rejects the path %s', (path) => {
    expect(route('GET', path)).toEqual({ found: null, allow: [] })
  })

  it.each([
    ['DELETE', '/v1/orders', ['GET', 'HEAD', 'POST']],
    ['POST', '/v1/orders/open', ['GET', 'HEAD']],
    ['GET', '/v1/orders/order_1/refunds', ['POST']],
    ['OPTIONS', '/v1/orders/order_1', ['GET', 'HEAD']],
    ['constructor', '/v1/orders/order_1', ['GET', 'HEAD']],
  ])('for the request %s %s, the router lists the allowed methods of the path', (method, path, allow) => {
    expect(route(method, path)).toEqual({ found: null, allow })
  })

  it('the router ignores exports of a route file that are not named after an HTTP method', () => {
    const other = router([{ path: '/v1/x', methods: { GET: answer, dynamic: 'force-dynamic', helper: answer } }])
    expect(other('POST', '/v1/x')).toEqual({ found: null, allow: ['GET', 'HEAD'] })
  })

  it.each([
    ['the same path twice', [file('/v1/orders', 'GET'), file('/v1/orders', 'POST')]],
    ['two names for one segment', [file('/v1/orders/[id]', 'GET'), file('/v1/orders/[orderId]/refunds', 'GET')]],
    ['a catch-all', [file('/v1/[...rest]', 'GET')]],
  ])('the router refuses a table of routes with %s', (_, files) => {
    expect(() => router(files)).toThrow(/^(Two routes are|\/v1)/)
  })
})
