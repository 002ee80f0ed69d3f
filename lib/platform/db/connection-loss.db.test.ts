import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { POST as createProduct, GET as listProducts } from '@/app/v1/one-off-products/route.ts'
import { startEmbedded } from '../../../scripts/embedded-postgres.mjs'
import { configure } from '../../testing/configure.ts'
import { productBody } from '../../testing/factories.ts'
import { aShop, call, type Reply, type Shop } from '../../testing/shop.ts'
import { makeTemplate, templateName } from '../../testing/template-database.ts'
import { log } from '../log.ts'
import { closeDatabase, db } from './db.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-restart-'))
const directory = path.join(folder, 'postgres')
let server: Awaited<ReturnType<typeof startEmbedded>>
let shop: Shop

beforeAll(async () => {
  server = await startEmbedded({ directory })
  await makeTemplate(server.url)
  configure({
    DATABASE_URL: Object.assign(new URL(server.url), { pathname: `/${templateName}` }).href,
    RATE_LIMIT_TEST: '600000',
    RATE_LIMIT_ANONYMOUS: '600000',
  })
  shop = await aShop()
})
afterAll(async () => {
  await closeDatabase()
  await server.stop()
  // The data directory is a symbolic link if the system user of PostgreSQL cannot enter the temporary folder of the test.
  rmSync(realpathSync(directory), { recursive: true })
  rmSync(folder, { recursive: true })
})

async function restart(signal: NodeJS.Signals, whileDown: () => Promise<void>): Promise<void> {
  const pid = Number(readFileSync(path.join(realpathSync(directory), 'postmaster.pid'), 'utf8').split('\n')[0])
  process.kill(pid, signal)
  await server.exited
  await whileDown()
  server = await startEmbedded({ directory, settings: { port: new URL(server.url).port } })
}

const patience = { timeout: 30_000 }

it('retried requests during database restarts create exactly one product each', async () => {
  vi.spyOn(log, 'warn').mockImplementation(() => undefined)
  const failed = vi.spyOn(log, 'error').mockImplementation(() => undefined)
  const refused: Reply[] = []
  const made: string[] = []
  const wrong: unknown[] = []
  let ended = false

  const worker = async (name: number) => {
    for (let n = 0; !ended; n++) {
      const headers = { 'Idempotency-Key': `${name}-${n}` }
      for (let reply: Reply | null = null; reply?.status !== 201; ) {
        reply = await call(createProduct, 'POST', '/v1/one-off-products', {
          key: shop.testKey,
          body: productBody(),
          headers,
        })
        if (reply.status === 201) made.push(reply.body.id)
        else if (reply.status === 503) refused.push(reply)
        else wrong.push(reply.body)
      }
      const read = await call(listProducts, 'GET', '/v1/one-off-products', { key: shop.testKey })
      if (read.status === 503) refused.push(read)
      else if (read.status !== 200) wrong.push(read.body)
    }
  }
  const workers = Promise.all([1, 2, 3, 4].map(worker))
  for (const signal of ['SIGKILL', 'SIGQUIT', 'SIGINT'] as const) {
    const before = made.length
    await expect.poll(() => made.length, patience).toBeGreaterThan(before + 20)
    const refusedBefore = refused.length
    await restart(signal, () => expect.poll(() => refused.length, patience).toBeGreaterThan(refusedBefore))
  }
  const before = made.length
  await expect.poll(() => made.length, patience).toBeGreaterThan(before + 20)
  ended = true
  await workers

  expect(wrong).toEqual([])
  expect(failed).not.toHaveBeenCalled()
  for (const { body, headers } of refused) {
    expect([body.code, headers.get('Retry-After')]).toEqual(['unavailable', '1'])
    expect(headers.get('RateLimit-Limit')).toMatch(/^\d+$/)
  }
  const rows = await db().products.findMany({ select: { id: true } })
  expect(rows.map(({ id }) => id).sort()).toEqual(made.sort())
  vi.restoreAllMocks()
})
