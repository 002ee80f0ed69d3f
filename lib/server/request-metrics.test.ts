import { beforeEach, expect, it } from 'vitest'
import { countRequest, registry } from './request-metrics.ts'

const request = { method: 'GET', route: null, path: '/', status: 200, seconds: 0.02 }

beforeEach(() => registry.resetMetrics())

const counts = async () =>
  (await registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('billhook_http_request_duration_seconds_count'))
    .map((line) => line.replace('billhook_http_request_duration_seconds_count', ''))
    .sort()

it('requests are counted by route, without ids', async () => {
  countRequest({ ...request, route: '/v1/orders/[id]', path: '/v1/orders/order_1' })
  countRequest({ ...request, route: '/v1/orders/[id]', path: '/v1/orders/order_2' })
  countRequest({
    ...request,
    method: 'POST',
    route: '/v1/orders/[id]/refunds',
    path: '/v1/orders/order_2/refunds',
    status: 422,
  })
  expect(await counts()).toEqual([
    '{method="GET",route="/v1/orders/[id]",status="200"} 2',
    '{method="POST",route="/v1/orders/[id]/refunds",status="422"} 1',
  ])
})

it('page requests are counted by the first path segment, because later segments are secret', async () => {
  for (const path of [
    '/',
    '/checkout/secret',
    '/checkout/secret/submit',
    '/portal/link/secret',
    '/withdrawal/secret',
    '/admin/test/storefront_1',
  ])
    countRequest({ ...request, path })
  expect(await counts()).toEqual([
    '{method="GET",route="/",status="200"} 1',
    '{method="GET",route="/admin/…",status="200"} 1',
    '{method="GET",route="/checkout/…",status="200"} 2',
    '{method="GET",route="/portal/…",status="200"} 1',
    '{method="GET",route="/withdrawal/…",status="200"} 1',
  ])
})

it('the number of metric labels does not grow with unknown paths and methods', async () => {
  for (let index = 0; index < 100; index++)
    countRequest({ ...request, method: `M${index}`, path: `/p${index}`, status: 404 })
  expect(await counts()).toEqual(['{method="other",route="other",status="404"} 100'])
})

it('a request is counted even if its connection ends before the response', async () => {
  countRequest({ ...request, path: '/checkout/x', status: null })
  expect(await counts()).toEqual(['{method="GET",route="/checkout/…",status="none"} 1'])
})
