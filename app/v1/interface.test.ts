import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openApi } from '@/lib/platform/openapi.ts'
import { RefundShape } from '@/lib/refunds/contract.ts'
import { endpoints } from './endpoints.ts'

const documentPath = path.resolve('docs/openapi.json')
const root = path.resolve('app/v1')

const routeFiles = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => path.basename(file) === 'route.ts',
)

/** `GET /v1/orders/{orderId}` of app/v1/orders/[orderId]/route.ts, with `route(contract.getOrder` in it. */
const exported = routeFiles.flatMap((file) => {
  const template = `/v1/${path.dirname(file).replaceAll('[', '{').replaceAll(']', '}')}`
  const source = readFileSync(path.join(root, file), 'utf8')
  return [...source.matchAll(/export const (GET|POST|PATCH|DELETE) = route\(/g)].map(
    ([, method]) => `${method} ${template}`,
  )
})

describe('the interface', () => {
  it('has a route for every endpoint value and a value for every route', () => {
    expect(exported.sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('names each operation once', () => {
    const ids = endpoints.map((endpoint) => endpoint.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('says of every shape that it names what it is', () => {
    const { schemas } = openApi(endpoints, { baseUrl: '', version: '1' }).components as {
      schemas: Record<string, object>
    }
    const text = JSON.stringify(openApi(endpoints, { baseUrl: '', version: '1' }))
    const named = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
    expect([...new Set(named)].sort()).toEqual(Object.keys(schemas).sort())
    for (const [name, shape] of Object.entries(schemas))
      expect([name, shape]).toEqual([name, expect.objectContaining({ type: expect.anything() })])
    expect(Object.keys((schemas.Refund as { properties: object }).properties)).toEqual(Object.keys(RefundShape.shape))
  })

  it('is committed as docs/openapi.json, so that a change of it shows in the diff', () => {
    const document = `${JSON.stringify(openApi(endpoints, { baseUrl: 'http://localhost:3000', version: '1' }), null, 2)}\n`
    if (process.env.UPDATE_OPENAPI) writeFileSync(documentPath, document)
    expect(readFileSync(documentPath, 'utf8')).toBe(document)
  })
})
