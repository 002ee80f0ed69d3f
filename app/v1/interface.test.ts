import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { KeyScope } from '@/lib/kernel/key-scope.ts'
import { RefundShape } from '@/lib/modules/refunds/contract.ts'
import { apiDocument } from './document.ts'
import { endpoints } from './endpoints.ts'

const documentPath = path.resolve('docs/openapi.json')
const root = path.resolve('app/v1')

const routeFiles = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => path.basename(file) === 'route.ts',
)

/**
 * The OpenAPI document in the repository has the default URL and no seller. Each installation replaces these two values
 * with its own.
 */
const document = apiDocument({ baseUrl: 'http://localhost:3000', contact: { name: 'Billhook', email: null } })

interface Described {
  paths: Record<string, Record<string, DescribedOperation | undefined> | undefined>
}
interface DescribedOperation {
  security: object[]
  description: string
  responses: Record<number, { description: string } | undefined>
}

/** The operations that the route files export, such as `GET /v1/orders/{id}` from app/v1/orders/[id]/route.ts. */
const exported = routeFiles.flatMap((file) => {
  const template = `/v1/${path.dirname(file).replaceAll('[', '{').replaceAll(']', '}')}`
  const source = readFileSync(path.join(root, file), 'utf8')
  return [...source.matchAll(/export const (GET|POST|PATCH|DELETE) = route\(/g)].map(
    ([, method]) => `${method} ${template}`,
  )
})

describe('the API', () => {
  it('every operation of the API contract has a route, and every route has an operation in the API contract', () => {
    expect(exported.sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('the first id in a path is named `id`, and the id of a nested resource is named after the resource', () => {
    const names = [...new Set(endpoints.map(({ path }) => path))].map((path) => ({
      path,
      names: [...path.matchAll(/([a-z-]+)s\/\{(\w+)\}/g)].map(([, noun = '', name]) => ({ noun, name })),
    }))
    const expected = names.map(({ path, names }) => ({
      path,
      names: names.map(({ noun }, index) => ({ noun, name: index === 0 ? 'id' : `${noun}Id` })),
    }))
    expect(names).toEqual(expected)
    expect(names.flatMap((each) => each.names).length).toBeGreaterThan(20)
  })

  it('the OpenAPI document describes every tag that an operation has, and no other tag', () => {
    const { tags } = document as { tags: { name: string; description: string }[] }
    const used = new Set(endpoints.map(({ tag }) => tag))
    expect(tags.map(({ name }) => name).sort(), 'app/v1/document.ts lists the tags').toEqual([...used].sort())
  })

  it('each operation of the API has a unique name', () => {
    const ids = endpoints.map((endpoint) => endpoint.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('read_only keys may only read, and no_refunds keys may use every operation except refunds', () => {
    const idsOf = (scope: KeyScope) => endpoints.filter((endpoint) => endpoint.scope === scope).map(({ id }) => id)
    const reads = endpoints.filter(({ method, path }) => method === 'GET' || path.endsWith('/preview'))
    expect(idsOf('read_only')).toEqual(reads.map(({ id }) => id))
    expect(idsOf('full')).toEqual(['createRefund', 'createFullRefund', 'cancelRefund'])
  })

  it('the description of each operation states the API key scopes that allow the operation, and the error for all other API keys', () => {
    const { paths } = document as unknown as Described
    const stated = Object.fromEntries(
      endpoints.map(({ id, path, method }) => {
        const { security, description, responses } = paths[path]?.[method.toLowerCase()] ?? {}
        const [, words] = / Needs an API key with the scope (.+)\.$/.exec(description ?? '') ?? []
        const isRefused = responses?.[403]?.description.includes('`insufficient_scope`') ?? false
        return [id, { scopes: security?.flatMap((each) => Object.keys(each)), words, isRefused }]
      }),
    )
    const of: Record<KeyScope, object> = {
      read_only: { scopes: ['read_only', 'no_refunds', 'full'], words: undefined, isRefused: false },
      no_refunds: { scopes: ['no_refunds', 'full'], words: '`no_refunds` or `full`', isRefused: true },
      full: { scopes: ['full'], words: '`full`', isRefused: true },
    }
    expect(stated).toEqual(Object.fromEntries(endpoints.map(({ id, scope }) => [id, of[scope]])))
  })

  it('the OpenAPI document defines every schema that it refers to, and no other schema', () => {
    const { schemas } = document.components as { schemas: Record<string, object> }
    const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
    expect([...new Set(named)].sort()).toEqual(Object.keys(schemas).sort())
    for (const [name, shape] of Object.entries(schemas))
      expect([name, 'type' in shape || 'oneOf' in shape]).toEqual([name, true])
    expect(Object.keys((schemas.Refund as { properties: object }).properties)).toEqual(Object.keys(RefundShape.shape))
  })

  const withoutExamples = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (key, each) => (key === 'example' ? undefined : each)))
  const schemas = (value: unknown, at = ''): [string, Record<string, unknown>][] =>
    typeof value !== 'object' || value === null
      ? []
      : [
          [at, value as Record<string, unknown>],
          ...Object.entries(value).flatMap(([name, each]) => schemas(each, `${at}/${name}`)),
        ]
  const all = schemas(withoutExamples(document))

  it('the OpenAPI document has a description for every operation, parameter, and field', () => {
    const isText = (value: unknown) => typeof value === 'string' && /^[A-Z`].*\.$/s.test(value)
    const fields = all.flatMap(([at, { properties }]) =>
      typeof properties === 'object' && properties !== null && !at.endsWith('/properties')
        ? Object.entries(properties).map(([name, each]) => [`${at}.${name}`, each.description] as const)
        : [],
    )
    const parameters = all.filter(([, each]) => each.in).map(([at, { description }]) => [at, description] as const)
    const operations = endpoints.flatMap(({ id, summary, description }) => [
      [`${id}, summary`, summary] as const,
      [`${id}, description`, description] as const,
    ])
    expect(fields.length).toBeGreaterThan(300)
    expect([...fields, ...parameters, ...operations].filter(([, text]) => !isText(text))).toEqual([])
  })

  it('the OpenAPI document states the value type of objects with arbitrary keys', () => {
    const objects = all.filter(([, { type }]) => type === 'object')
    expect(objects.length).toBeGreaterThan(50)
    const empty = objects.filter(([, each]) => !each.properties && !each.additionalProperties)
    expect(empty.map(([at]) => at)).toEqual([])
  })

  it('the OpenAPI document states the format of every time', () => {
    const moments = all.filter(([at]) => /\/properties\/(\w+(At|Until)|now|to)$/.test(at))
    expect(moments.length).toBeGreaterThan(20)
    const others = moments.filter(([, each]) => !JSON.stringify(each).includes('"format":"date-time"'))
    expect(others.map(([at]) => at)).toEqual([])
  })

  it('the OpenAPI document gives query parameters the type integer or boolean, not string, if they are numbers or flags', () => {
    const queries = all.filter(([, each]) => each.in === 'query')
    const of = (name: string) => queries.filter(([, each]) => each.name === name).map(([, { schema }]) => schema)
    expect(of('limit').length).toBeGreaterThan(5)
    for (const schema of of('limit')) expect(schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 10 })
    for (const name of ['includeArchived', 'immediately']) {
      expect(of(name).length).toBeGreaterThan(0)
      for (const schema of of(name)) expect(schema).toMatchObject({ type: 'boolean' })
    }
  })

  it('the OpenAPI document states no URI format for text that may contain a placeholder', () => {
    const urls = all.filter(([at]) => /\/properties\/redirectUrl\w+$/.test(at))
    expect(urls.length).toBeGreaterThan(3)
    for (const [at, schema] of urls) expect([at, schema.format]).toEqual([at, undefined])
  })

  it('the committed docs/openapi.json equals the OpenAPI document of the service', () => {
    const text = `${JSON.stringify(document, null, 2)}\n`
    if (process.env.UPDATE_OPENAPI) writeFileSync(documentPath, text)
    expect(readFileSync(documentPath, 'utf8')).toBe(text)
  })
})
