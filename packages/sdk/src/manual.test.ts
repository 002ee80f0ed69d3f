import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CodeBlock, codeBlocksOf } from '../../../scripts/docs/code-blocks.ts'
import { createTestServer, exampleEvent, signedDelivery } from './testing.ts'

const root = path.resolve(import.meta.dirname, '../../..')
/** The folder is below node_modules, so that Node.js finds the frameworks that the examples import. */
const work = path.join(root, `node_modules/.cache/billhook-sdk-manual-${process.pid}`)
const files = ['typescript-sdk', 'webhooks', 'access'].map((name) => `docs/merchants/${name}.md`)
const blocks = [...files, 'docs/start/quickstart.md', 'packages/sdk/README.md'].flatMap((file) =>
  codeBlocksOf(readFileSync(path.join(root, file), 'utf8')).filter(({ run }) => run?.startsWith('sdk')),
)
const nameOf = ({ title, run }: CodeBlock) => (run === 'sdk' || run === 'sdk-test' ? (title ?? '') : `${run}.ts`)
const ids = { plan: 'subscription_plan_RfEwE7QN3oX14T1dgwAOcY', subscription: 'subscription_t61ueaDUREELy8SU7L4m0v' }
const secret = 'whsec_of_the_manual'
const server = createTestServer()
const servers: Server[] = []
let close: () => Promise<void>

beforeAll(async () => {
  mkdirSync(work, { recursive: true })
  for (const block of blocks) writeFileSync(path.join(work, nameOf(block)), block.text)
  await build({
    entryPoints: blocks.map((block) => path.join(work, nameOf(block))),
    outdir: work,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['express', 'fastify', 'hono'],
    alias: Object.fromEntries(
      ['', '/next', '/express', '/hono', '/fastify', '/web', '/testing'].map((name) => [
        `@billhook/sdk${name}`,
        path.join(import.meta.dirname, `${name.slice(1) || 'index'}.ts`),
      ]),
    ),
    logLevel: 'warning',
  })
  const listening = await server.listen()
  close = listening.close
  const variables = { BILLHOOK_URL: listening.url, BILLHOOK_KEY: 'test_key', WEBHOOK_SECRET: secret }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  for (const each of servers) each.close()
  await close()
  rmSync(work, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: each example has other exports
const load = (name: string): Promise<any> => import(pathToFileURL(path.join(work, name)).href)

it('the examples of the manual compile with strict type checks', { timeout: 120_000 }, () => {
  const settings = JSON.parse(readFileSync(path.join(root, 'tsconfig.json'), 'utf8'))
  const paths = Object.entries(settings.compilerOptions.paths as Record<string, string[]>).map(([name, files]) => [
    name,
    files.map((file) => path.join(root, file)),
  ])
  const compilerOptions = {
    ...settings.compilerOptions,
    paths: Object.fromEntries(paths),
    plugins: [],
    incremental: false,
    types: ['node'],
    typeRoots: [path.join(root, 'node_modules/@types')],
  }
  writeFileSync(path.join(work, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { status, stdout } = spawnSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', work], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})

it('the manual examples that call the API send the documented requests and return the documented values', async () => {
  const { checkoutUrl, endAtPeriodEnd } = await load('sell.mjs')
  expect(await checkoutUrl(ids.plan, 3, 'ws_1')).toMatch(/^https:\/\/pay\.example\/checkout\//)
  expect(server.calls.at(-1)?.body.products).toEqual([{ id: ids.plan, quantity: 3, metadata: { workspace: 'ws_1' } }])
  await endAtPeriodEnd(ids.subscription)
  expect(server.calls.at(-1)).toMatchObject({ id: 'cancelSubscription', params: { id: ids.subscription } })
  const { newestOrders, invoicesSince } = await load('lists.mjs')
  expect(await newestOrders('customer_P4ur2GNl80NHXh6ea5XxqA')).toHaveLength(1)
  expect(await invoicesSince('2027-01-01')).toEqual(['TEST-INV-2027-000001'])
  const { sell, passMonth } = await load('quickstart.mjs')
  expect(await sell()).toMatch(/^https:/)
  await passMonth()
  expect(server.calls.at(-1)).toMatchObject({ id: 'advanceTestClock', body: { by: 'P1M' } })
  const { buy } = await load('buy.mjs')
  expect(await buy(ids.plan)).toMatch(/^https:/)
  const { nowOf } = await load('now.mjs')
  const { billhook } = await load('billhook.mjs')
  const clock = await billhook.getTestClock()
  expect(await nowOf({ testmode: true })).toEqual(new Date(clock.now))
  expect(Math.abs((await nowOf({ testmode: false })).getTime() - Date.now())).toBeLessThan(60_000)
})

it('the seats example changes the number of seats, or returns why the API refused the change', async () => {
  const { previewSeats, changeSeats } = await load('seats.mjs')
  const { asOf } = await previewSeats(ids.subscription, 5)
  expect(await changeSeats(ids.subscription, 5, asOf)).toBeNull()
  const key = `seats-${ids.subscription}-5-${asOf}`
  expect(server.calls.at(-1)?.headers.get('idempotency-key')).toBe(key)
  server.respond('changeSubscription', { status: 422, body: { code: 'validation_failed', errors: { asOf: ['Old.'] } } })
  expect(await changeSeats(ids.subscription, 6, '2027-01-04T09:00:01Z')).toBe(
    'The price has changed. Look at it again.',
  )
})

it('the sync example corrects a missing copy, a different copy, and a copy whose subscription has ended', async () => {
  const { sync } = await load('sync.mjs')
  const { billhook } = await load('billhook.mjs')
  const example = await billhook.getSubscription(ids.subscription)
  const idOf = (number: number) => `subscription_${String(number).padStart(22, '0')}`
  const subscription = (number: number, differences: object) => ({ ...example, id: idOf(number), ...differences })
  const same = subscription(1, { status: 'active' })
  const changed = subscription(2, { status: 'active', quantity: 5 })
  const missing = subscription(3, { status: 'trial' })
  const ended = subscription(4, { status: 'canceled' })
  const current = [same, changed, missing, ended]
  server.respond('listSubscriptions', ({ query }) => {
    const data = current.filter(({ status }) => status === query.status)
    return { body: { data, count: data.length, links: { self: null, next: null, prev: null } } }
  })
  server.respond('getSubscription', ({ params }) => ({ body: current.find(({ id }) => id === params.id) }))
  const copies = new Map(
    [same, { ...changed, quantity: 3 }, { ...ended, status: 'active' }].map((copy) => [copy.id, copy]),
  )
  expect((await sync(copies)).sort()).toEqual([changed, missing, ended].map(({ id }) => id))
  expect([...copies.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(current)
  expect(await sync(copies)).toEqual([])
})

/** Each sender passes a delivery to the example of a framework and returns the status. */
const senders: Readonly<Record<string, () => Promise<(delivery: Request) => Promise<number>>>> = {
  next: async () => {
    const { POST } = await load('sdk-next.mjs')
    return async (delivery) => (await POST(delivery)).status
  },
  web: async () => {
    const { default: program } = await load('sdk-web.mjs')
    return async (delivery) => (await program.fetch(delivery)).status
  },
  hono: async () => {
    const { app } = await load('sdk-hono.mjs')
    return async (delivery) => (await app.request(delivery)).status
  },
  express: async () => {
    const { app } = await load('sdk-express.mjs')
    const listening: Server = app.listen(0)
    servers.push(listening)
    await new Promise((resolve) => listening.once('listening', resolve))
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/webhooks`
    return async (delivery) =>
      (await fetch(url, { method: 'POST', headers: delivery.headers, body: await delivery.text() })).status
  },
  node: async () => {
    const { server: program } = await load('sdk-node.mjs')
    const listening: Server = program.listen(0)
    servers.push(listening)
    await new Promise((resolve) => listening.once('listening', resolve))
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
    expect((await fetch(`${url}/other`, { method: 'POST', body: '{}' })).status).toBe(404)
    return async (delivery) =>
      (await fetch(`${url}/webhooks`, { method: 'POST', headers: delivery.headers, body: await delivery.text() }))
        .status
  },
  fastify: async () => {
    const { app } = await load('sdk-fastify.mjs')
    return async (delivery) => {
      const headers = Object.fromEntries(delivery.headers)
      return (await app.inject({ method: 'POST', url: '/webhooks', headers, payload: await delivery.text() }))
        .statusCode
    }
  },
}

describe.each(Object.keys(senders))('the receiver for %s', (name) => {
  it('the example receiver stores a genuine event exactly once, and refuses a forged event', async () => {
    const send = await senders[name]?.()
    const { stored, seats } = await load('store.mjs')
    const storing = vi.spyOn(stored, 'set')
    const started = exampleEvent('subscription.started', { quantity: 4, metadata: { workspace: name } })
    const event = { ...started, id: `webhook_event_${name}` }
    const delivery = (key: string) => signedDelivery('https://shop.example/webhooks', key, event)
    expect(await send?.(await delivery('whsec_of_somebody_else'))).toBe(400)
    expect(stored.has(event.id)).toBe(false)
    expect(await send?.(await delivery(secret))).toBe(204)
    expect(await send?.(await delivery(secret))).toBe(204)
    expect(storing.mock.calls).toEqual([[event.id, event]])
    storing.mockRestore()
    expect(seats.get(name)).toBe(4)
  })
})

it('the example on the webhooks page returns the event of a genuine delivery', async () => {
  const { eventOf } = await load('sdk-verify.mjs')
  const event = exampleEvent('order.paid')
  const delivery = await signedDelivery('https://shop.example', secret, event)
  const [header, body] = [delivery.headers.get('service-signature'), await delivery.text()]
  expect(await eventOf(header, body, secret)).toEqual(event)
  expect(await eventOf(header, `${body} `, secret)).toBeNull()
})

it('the unit test example of the manual passes', () => {
  cpSync(path.join(work, 'sell.test.mjs'), path.join(work, 'unit.test.mjs'))
  const { status, stdout } = spawnSync(process.execPath, ['--test', path.join(work, 'unit.test.mjs')], {
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/pass 2/)
  expect(status).toBe(0)
})
