import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { amount } from '@/lib/testing/amount.ts'
import { send } from '@/lib/testing/api.ts'
import { fromSchema, type Schema } from '@/lib/testing/from-schema.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { aWorld, type World } from '@/lib/testing/world.ts'

/** `send` checks each response to a generated request against the contract. */

interface Operation {
  readonly parameters?: readonly { name: string; in: string; schema: Schema }[]
  readonly requestBody?: { content: { 'application/json': { schema: Schema } } }
}
const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

let world: World
beforeAll(async () => {
  world = await aWorld()
})
afterAll(() => world.close())

interface Generated {
  readonly line: string
  readonly key: string | undefined
  readonly body: unknown
  readonly headers: Record<string, string>
}

function idsFor(pattern: string): string[] {
  const prefixes = [...pattern.matchAll(/[a-z_]+_(?=[[|)])/g)].map(([prefix]) => prefix)
  const all = [...Object.values(world.ids), ...Object.values(world.foreign)]
  const known = all.filter((id) => prefixes.some((prefix) => id.startsWith(prefix)))
  const nothing = prefixes.map((prefix) => `${prefix}${'0'.repeat(22)}`)
  return prefixes.length > 0 && pattern.includes('{22}') ? [...known, ...known, ...nothing] : []
}

/** Advancing the clock to a distant time would take minutes. Other tests cover the limits of the clock. */
const aShortWay = fc.record({ by: fc.constantFrom('PT1H', 'P1D', 'P0D', '-P1D', 'P1M1', '', 'PT1S') })

const requests: fc.Arbitrary<Generated> = fc.constantFrom(...operations).chain(({ path, method, operation }) => {
  const value = (schema: Schema) =>
    fromSchema(schema, idsFor).map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each)))
  const of = (place: string) => (operation.parameters ?? []).filter((each) => each.in === place)
  const record = (place: string, required: boolean) =>
    fc.record(
      Object.fromEntries(of(place).map(({ name, schema }) => [name, value(schema)])),
      required ? {} : { requiredKeys: [] },
    )
  const schema = operation.requestBody?.content['application/json'].schema
  const body = path.endsWith('/clock/advance')
    ? aShortWay
    : schema
      ? fromSchema(schema, idsFor)
      : fc.constant(undefined)
  const keys = [
    world.key,
    world.key,
    world.key,
    world.liveKey,
    world.other.testKey,
    ...world.deadKeys,
    undefined,
    'test_',
  ]
  return fc
    .tuple(record('path', true), record('query', false), body, fc.constantFrom(...keys), fc.option(fc.uuid()))
    .map(([named, query, body, key, idempotencyKey]) => {
      const target = path.replace(/\{(\w+)\}/g, (_, name) => encoded(named[name] ?? ''))
      const search = Object.entries(query).map(([name, each]) => `${name}=${encoded(each ?? '')}`)
      return {
        line: `${method} ${target}${search.length > 0 ? `?${search.join('&')}` : ''}`,
        key,
        body: schema ? body : undefined,
        headers: { ...(idempotencyKey && method !== 'GET' && { 'idempotency-key': idempotencyKey }) },
      }
    })
})

const encoded = (text: string) => encodeURIComponent(text.toWellFormed()) || '%20'

const runs = amount({ short: 1_200, long: 50_000 })
it(`${runs} generated requests get responses that match the contract, without data of other storefronts`, async () => {
  const ours = Object.values(world.ids)
  const counts = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(requests, async ({ line, key, body, headers }) => {
      const reply = await send(line, { key, headers, ...(body !== undefined && { body }) })
      counts.set(reply.status, (counts.get(reply.status) ?? 0) + 1)
      if (key === world.key) return
      const sent = `${line} ${JSON.stringify(body)}`
      // The link `self` of a list repeats the sent query.
      const answered = JSON.stringify(reply.body, (name, value) => (name === 'self' ? undefined : value)) ?? ''
      expect(ours.filter((id) => answered.includes(id) && !sent.includes(id))).toEqual([])
      if (reply.status < 300) expect(ours.filter((id) => sent.includes(id) && answered.includes(id))).toEqual([])
    }),
    { numRuns: runs, endOnFailure: true },
  )
  for (const status of [200, 201, 404, 422, 401]) expect(counts.get(status), `${status}`).toBeGreaterThan(runs / 200)
  expect(await brokenInvariants()).toEqual({})
})
