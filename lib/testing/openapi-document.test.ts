import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../platform/http/endpoint.ts'
import { listQuery } from '../platform/http/paging.ts'
import { WireMoment } from '../platform/http/shapes.ts'
import { heldAgainst } from './openapi-document.ts'

const orders = endpoint({
  id: 'createOrder',
  method: 'POST',
  path: '/v1/customers/{id}/orders',
  scope: 'no_refunds',
  tag: 'Orders',
  summary: '',
  description: '',
  params: z.object({ id: z.string() }),
  query: listQuery({}),
  // The document requires a URI in this field, but the code accepts any text.
  body: z.object({ url: z.string().meta({ format: 'uri' }).nullish() }),
  responses: { 201: z.object({ createdAt: WireMoment }) },
  refuses: [],
})
const holds = heldAgainst([orders])
const call = ({
  sent,
  query = '',
  status = 201,
  body,
}: {
  sent?: unknown
  query?: string
  status?: number
  body: unknown
}) => holds({ endpoint: orders, query: new URLSearchParams(query), sent }, { status, headers: new Headers(), body })
const good = { createdAt: '2027-01-31T00:00:00Z' }
const refused = { message: 'No.', code: 'unauthenticated', requestId: 'request_1' }

describe('calls that the OpenAPI document describes', () => {
  it.each([
    { body: good },
    { body: { ...good, more: 1 } },
    { body: good, sent: { url: 'https://shop.example/a' }, query: 'limit=100&unknown=1' },
    { body: good, sent: { url: null, unknown: 1 } },
    { body: refused, status: 401, sent: { url: 7 }, query: 'limit=no' },
    { body: { ...refused, details: { anything: [1] }, errors: { 'a.0': ['No.'] } }, status: 422 },
  ])('the check against the OpenAPI document accepts the call %j', (each) => {
    expect(() => call(each)).not.toThrow()
  })
})

describe('calls that the OpenAPI document does not describe', () => {
  it.each([
    { body: {} },
    { body: { createdAt: '2027-01-31' } },
    { body: good, sent: { url: 'https://shop.example/{CHECKOUT_ID}' } },
    { body: good, query: 'limit=101' },
    { body: good, query: 'limit=ten' },
    { body: { ...refused, code: 'nobody_knows' }, status: 401 },
    { body: refused, status: 418 },
  ])('the check against the OpenAPI document reports the call %j', (each) => {
    expect(() => call(each)).toThrow()
  })
})
