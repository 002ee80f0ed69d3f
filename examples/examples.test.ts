import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { WebhookEvent } from '@billhook/sdk'
import { createTestServer, exampleEvent, signedDelivery } from '@billhook/sdk/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const folder = import.meta.dirname
const events = mkdtempSync(path.join(os.tmpdir(), 'billhook-example-'))
const billhook = createTestServer()
const planId = 'subscription_plan_RfEwE7QN3oX14T1dgwAOcY'
const secret = 'whsec_of_the_examples'
const environment = { BILLHOOK_KEY: 'test_key', WEBHOOK_SECRET: secret, PLAN_ID: planId, EVENTS_DIRECTORY: events }
let variables: typeof environment & { BILLHOOK_URL: string }
const ends: (() => unknown)[] = [() => rmSync(events, { recursive: true, force: true })]

beforeAll(async () => {
  const { url, close } = await billhook.listen()
  ends.push(close)
  variables = { BILLHOOK_URL: url, ...environment }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  for (const end of ends) await end()
})

interface Program {
  send(request: Request): Promise<Response>
}

const over = (port: number): Program => ({
  send: async (request) => {
    const { pathname } = new URL(request.url)
    const { method, headers } = request
    const body = method === 'GET' ? null : await request.text()
    return fetch(`http://127.0.0.1:${port}${pathname}`, { method, headers, body, redirect: 'manual' })
  },
})

const hasPhp = spawnSync('php', ['--version']).status === 0
if (!hasPhp) console.log('php is not installed: examples/php is not tested')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function startPhp(): Promise<Program> {
  const port = await freePort()
  const program: ChildProcess = spawn('php', ['-S', `127.0.0.1:${port}`, 'index.php'], {
    cwd: path.join(folder, 'php'),
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  ends.push(() => program.kill())
  await new Promise((resolve) => program.stderr?.on('data', (text) => /started/.test(String(text)) && resolve(true)))
  return over(port)
}

const starts: Readonly<Record<string, () => Promise<Program>>> = {
  express: async () => {
    const { app } = await import('./express/app.ts')
    const server: Server = app.listen(0)
    ends.push(() => server.close())
    await once(server, 'listening')
    return over((server.address() as AddressInfo).port)
  },
  hono: async () => {
    const { default: app } = await import('./hono/app.ts')
    return { send: async (request) => app.fetch(request, variables) }
  },
  ...(hasPhp && { php: startPhp }),
}

const started = exampleEvent('subscription.started', { metadata: { workspace: 'ws_1' } })
const otherId = `subscription_${'0'.repeat(22)}`
const repeated = { ...started, object: { ...started.object, id: otherId } } as WebhookEvent
const setup = { ...started, id: 'webhook_event_setup', eventName: 'webhook.setup' } as unknown as WebhookEvent
const deliver = async ({ send }: Program, key: string, event: WebhookEvent = started) =>
  (await send(await signedDelivery('https://shop.example/webhooks', key, event))).status

describe.each(Object.keys(starts))('the example %s', (name) => {
  it('the example program sends the buyer to the checkout, and stores each correctly signed event exactly once', async () => {
    const program = await (starts[name] as () => Promise<Program>)()
    expect(await (await program.send(new Request('https://shop.example/'))).text()).toContain('action="/buy"')
    const bought = await program.send(new Request('https://shop.example/buy', { method: 'POST' }))
    expect(bought.status).toBe(303)
    expect(bought.headers.get('location')).toMatch(/^https:\/\/pay\.example\/checkout\//)
    const call = billhook.calls.at(-1)
    expect(call).toMatchObject({ id: 'createCheckout', body: { products: [{ id: planId, quantity: 3 }] } })
    expect(call?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{32,36}$/)

    const account = async () => (await program.send(new Request('https://shop.example/account'))).text()
    expect(await deliver(program, 'whsec_of_somebody_else')).toBe(400)
    expect(await deliver(program, secret, setup)).toBe(204)
    if (name === 'php') expect(readdirSync(events)).toEqual([])
    else expect(await account()).toContain('No subscription yet.')
    // The second delivery has the same event id, but another subscription. If the program stored the event twice, it would show the other subscription.
    expect([await deliver(program, secret), await deliver(program, secret, repeated)]).toEqual([204, 204])
    if (name === 'php') {
      expect(readdirSync(events)).toEqual([`${started.id}.json`])
      const stored = JSON.parse(readFileSync(path.join(events, `${started.id}.json`), 'utf8'))
      expect(stored).toMatchObject({ object: { id: started.object.id } })
    } else {
      expect(await account()).toMatch(/\d seats, active/)
      expect(billhook.calls.at(-1)).toMatchObject({ id: 'getSubscription', params: { id: started.object.id } })
    }
  })
})

const packages = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'package.json')))

it.each(packages)('the example %s requires the package versions that the tests use', (name) => {
  const read = (file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
  const { dependencies, devDependencies } = read(`${name}/package.json`)
  const { packages: locked } = read('../package-lock.json')
  const versionOf = (each: string) => (each === '@billhook/sdk' ? '*' : locked[`node_modules/${each}`]?.version)
  const named: Record<string, string> = { ...dependencies, ...devDependencies }
  expect(named).toEqual(Object.fromEntries(Object.keys(named).map((each) => [each, versionOf(each)])))
})

it('each small example has fewer than 100 lines', () => {
  for (const file of ['express/app.ts', 'hono/app.ts', 'php/index.php'])
    expect(readFileSync(path.join(folder, file), 'utf8').split('\n').length).toBeLessThan(100)
})
