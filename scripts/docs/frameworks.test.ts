import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeBlocksOf } from './code-blocks.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** The folder is below node_modules, so that Node.js finds the packages that the code blocks import. */
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
const programs: ChildProcess[] = []
afterAll(() => {
  for (const program of programs) program.kill()
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

const now = Math.floor(Date.now() / 1000)
const sign = (key: string, text = body) =>
  `t=${now},v1=${createHmac('sha256', key).update(`${now}.${text}`).digest('hex')}`

it.each(Object.keys(senders))('the %s receiver stores genuine events and refuses forged events', async (title) => {
  const { app, stored } = await appOf(title)
  const send = await senders[title]?.(app)
  expect(await send?.(sign('another secret'))).toBe(400)
  expect(await send?.('')).toBe(400)
  expect(stored).toEqual([])
  expect(await send?.(sign(secret))).toBe(204)
  expect(stored).toEqual([JSON.parse(body)])
})

const hasPhp = spawnSync('php', ['--version']).status === 0

it.skipIf(!hasPhp)(
  'the PHP receiver stores each genuine event exactly once, and the PHP worker applies it once',
  async () => {
    const events = path.join(work, 'events')
    mkdirSync(events)
    for (const [file, run] of [
      ['verify.php', 'verify'],
      ['webhooks.php', 'receiver'],
      ['work.php', 'worker'],
    ] as const)
      writeFileSync(
        path.join(work, file),
        blocks.find((each) => each.language === 'php' && each.run === run)?.text ?? '',
      )
    const env = { ...process.env, WEBHOOK_SECRET: secret, EVENTS_DIRECTORY: events }
    const program = spawn('php', ['-S', '127.0.0.1:0', 'webhooks.php'], {
      cwd: work,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    programs.push(program)
    const url = await new Promise<string>((resolve) =>
      program.stderr.on('data', (text) => {
        const [printed] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(text)) ?? []
        if (printed) resolve(printed)
      }),
    )
    const send = async (signature: string, text = body) =>
      (await fetch(url, { method: 'POST', body: text, headers: headersOf(signature) })).status
    expect(await send(sign('another secret'))).toBe(400)
    expect(await send('')).toBe(400)
    const setup = '{"id":"webhook_event_0","eventName":"webhook.setup"}'
    expect(await send(sign(secret, setup), setup)).toBe(204)
    expect(readdirSync(events)).toEqual([])
    expect(await send(sign(secret))).toBe(204)
    const file = path.join(events, 'webhook_event_1.json')
    expect(readFileSync(file, 'utf8')).toBe(body)
    // The added space shows whether the second delivery overwrites the file.
    appendFileSync(file, ' ')
    expect(await send(sign(secret))).toBe(204)
    expect(readdirSync(events)).toEqual(['webhook_event_1.json'])
    expect(readFileSync(file, 'utf8')).toBe(`${body} `)

    const applied = path.join(work, 'applied')
    const apply = (what: string) =>
      writeFileSync(path.join(work, 'apply.php'), `<?php function apply(array $event): void { ${what} }`)
    const runWorker = () => spawnSync('php', ['work.php'], { cwd: work, env }).status
    apply("throw new RuntimeException('the database is down');")
    expect(runWorker()).toBe(255)
    expect(existsSync(applied)).toBe(false)
    apply(`file_put_contents('${applied}', $event['id'], FILE_APPEND);`)
    expect([runWorker(), runWorker()]).toEqual([0, 0])
    expect(readFileSync(applied, 'utf8')).toBe('webhook_event_1')

    rmSync(events, { recursive: true })
    expect(await send(sign(secret))).toBe(500)
  },
)
