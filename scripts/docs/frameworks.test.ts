import { createHmac } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeBlocksOf } from './code-blocks.ts'

/** The receivers of docs/merchants/webhooks.md for frameworks of Node.js get a genuine and a forged delivery. */

const root = path.resolve(import.meta.dirname, '../..')
/** Below node_modules, where the blocks find their packages. */
const work = path.join(root, `node_modules/.cache/billhook-frameworks-${process.pid}`)
const blocks = codeBlocksOf(readFileSync(path.join(root, 'docs/merchants/webhooks.md'), 'utf8'))
const secret = 'whsec_of_the_frameworks'
const body = '{"id":"webhook_event_1", "eventName":"order.paid"}'

type Send = (signature: string) => Promise<number>

beforeAll(() => {
  mkdirSync(work, { recursive: true })
  process.env.WEBHOOK_SECRET = secret
  write('verify', blocks.find(({ title, run }) => title === 'TypeScript' && run === 'verify')?.text ?? '')
})
const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(work, { recursive: true, force: true })
})

function write(name: string, text: string): string {
  const source = text.replaceAll(/from '(\.\/[\w-]+)'/g, "from '$1.mjs'")
  const file = path.join(work, `${name}.mjs`)
  writeFileSync(file, transformSync(source, { loader: 'ts', format: 'esm' }).code)
  return file
}

// biome-ignore lint/suspicious/noExplicitAny: each framework has an app of its own type
async function appOf(title: string): Promise<{ app: any; stored: unknown[] }> {
  const text = blocks.find((each) => each.title === title)?.text ?? ''
  const store = `store-${title.toLowerCase()}`
  const stored = await import(
    write(
      store,
      'export const stored: unknown[] = []\nexport const store = async (event: unknown) => { stored.push(event) }',
    )
  )
  const file = write(title.toLowerCase(), `${text.replace("'./store'", `'./${store}'`)}\nexport { app }`)
  return { app: (await import(file)).app, stored: stored.stored }
}

const headersOf = (signature: string) => ({ 'content-type': 'application/json', 'service-signature': signature })

// biome-ignore lint/suspicious/noExplicitAny: each framework has an app of its own type
const senders: Readonly<Record<string, (app: any) => Promise<Send>>> = {
  Express: async (app) => {
    const server = app.listen(0)
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
    servers.push(server)
    return async (signature) => (await fetch(url, { method: 'POST', body, headers: headersOf(signature) })).status
  },
  Hono: async (app) => async (signature) =>
    (await app.request('/webhooks', { method: 'POST', body, headers: headersOf(signature) })).status,
  Fastify: async (app) => async (signature) =>
    (await app.inject({ method: 'POST', url: '/webhooks', payload: body, headers: headersOf(signature) })).statusCode,
}

it.each(Object.keys(senders))('the receiver for %s stores a genuine event, and refuses a forged one', async (title) => {
  const { app, stored } = await appOf(title)
  const send = await senders[title]?.(app)
  const t = Math.floor(Date.now() / 1000)
  const sign = (key: string) => `t=${t},v1=${createHmac('sha256', key).update(`${t}.${body}`).digest('hex')}`
  expect(await send?.(sign('another secret'))).toBe(400)
  expect(await send?.('')).toBe(400)
  expect(stored).toEqual([])
  expect(await send?.(sign(secret))).toBe(204)
  expect(stored).toEqual([JSON.parse(body)])
})
