import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../scripts/embedded-postgres.mjs'
import { expect, test } from './test.ts'

/** A database of its own on the server of the service under test. */
async function aDatabase(): Promise<string> {
  const { databaseUrl } = JSON.parse(
    await readFile(path.join(process.env.BILLHOOK_DATA ?? '.data', 'running.json'), 'utf8'),
  )
  const name = `roles_${process.pid}`
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href
}

const running: ChildProcess[] = []

/** Starts a process with a role, and resolves with its address when it says that it is ready. */
async function start(role: 'web' | 'worker', environment: Record<string, string>): Promise<string> {
  const port = String(await freePort())
  const child = spawn(process.execPath, ['scripts/start.mjs', role], {
    env: { ...process.env, ...environment, PORT: port, NODE_ENV: '' } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => /is ready at|runs tasks/.test(String(text)) && resolve())
    child.once('exit', () => reject(new Error(`the ${role} process did not start`)))
  })
  return `http://localhost:${port}`
}

test.afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

test('the pages and the tasks run in processes of their own', async ({ page, merchant, shopUrl }) => {
  const environment = { DATABASE_URL: await aDatabase(), WEBHOOK_ALLOWED_HOSTS: 'localhost,127.0.0.1' }
  const web = await start('web', environment)
  const cli = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/cli.mjs', ...args, '--json'], {
      env: { ...process.env, ...environment },
    })
    return JSON.parse(stdout)
  }
  const { merchantId } = await cli('merchant', 'create', '--name', 'Lumen')
  const { testKey } = await cli('storefront', 'create', '--merchant', merchantId, '--name', 'Lumen')
  const api = (method: string, address: string, body: object) =>
    fetch(`${web}/v1${address}`, {
      method,
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const hooked = await api('POST', '/webhook-endpoints', { url: `${shopUrl}/hooks`, secret: merchant.secret })
  expect(hooked.status).toBe(201)
  const pings = merchant.received.length
  const product = await api('POST', '/one-off-products', {
    ...{ name: 'Handbook', description: 'As an e-book', productType: 'ebook' },
    basePrice: { value: '29.99', currency: 'EUR' },
  })
  expect(product.status).toBe(201)
  const { id } = await product.json()
  expect((await api('PATCH', `/one-off-products/${id}`, { name: 'Handbook 2' })).status).toBe(200)
  expect((await page.goto(`${web}/checkout/unknown`))?.status()).toBe(404)
  await expect(page.locator('h1')).toBeVisible()

  // It has written the event, and sends nothing.
  const lag = async () => (await (await fetch(`${web}/readyz`)).json()).taskLagSeconds
  await expect.poll(lag).toBeGreaterThanOrEqual(2)
  expect(merchant.received).toHaveLength(pings)

  const worker = await start('worker', environment)
  await expect.poll(() => merchant.received.length).toBeGreaterThan(pings)
  await expect.poll(lag).toBe(0)
  expect((await fetch(`${worker}/readyz`)).status).toBe(200)
  expect((await fetch(`${worker}/v1/customers`)).status).toBe(404)
  expect((await fetch(`${worker}/checkout/unknown`)).status).toBe(404)

  const ends = running.map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of running) child.kill('SIGTERM')
  expect(await Promise.all(ends)).toEqual([0, 0])
})
