import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GET as readyz } from '@/app/readyz/route.ts'
import { POST as createProduct } from '@/app/v1/one-off-products/route.ts'
import { startEmbedded } from '../../../scripts/embedded-postgres.mjs'
import { doctor } from '../../server/doctor.ts'
import { requireUsableDatabase } from '../../server/usable-database.ts'
import { configure } from '../../testing/configure.ts'
import { productBody } from '../../testing/factories.ts'
import { aShop, call, type Shop } from '../../testing/shop.ts'
import { makeTemplate, templateName } from '../../testing/template-database.ts'
import { uncached } from '../../testing/uncached.ts'
import { closeDatabase } from './db.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-standby-'))
const directory = path.join(folder, 'postgres')
let server: Awaited<ReturnType<typeof startEmbedded>>
let shop: Shop

const mainUrl = process.env.DATABASE_URL
const standbyUrl = () => Object.assign(new URL(server.url), { pathname: `/${templateName}` }).href
const usePort = () => configure({ DATABASE_URL: standbyUrl() })

beforeAll(async () => {
  server = await startEmbedded({ directory })
  await makeTemplate(server.url)
  usePort()
  shop = await aShop()
  await closeDatabase()
  await server.stop()
  writeFileSync(path.join(realpathSync(directory), 'standby.signal'), '')
  server = await startEmbedded({ directory })
  usePort()
})
afterAll(async () => {
  await closeDatabase()
  await server.stop()
  rmSync(realpathSync(directory), { recursive: true })
  rmSync(folder, { recursive: true })
})

it('doctor accepts a standby database as the replica', async () => {
  configure({ DATABASE_URL: mainUrl, DATABASE_REPLICA_URL: standbyUrl() })
  await closeDatabase()
  const diagnoses = await doctor()
  await closeDatabase()
  configure({ DATABASE_REPLICA_URL: undefined })
  usePort()
  expect(diagnoses.find(({ check }) => check === 'replica')).toMatchObject({ state: 'ok', message: 'is a replica' })
})

it('on a standby database, a running process responds with 503, and no new process starts', async () => {
  const refused = await call(createProduct, 'POST', '/v1/one-off-products', {
    key: shop.testKey,
    body: productBody(),
  })
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
  const problem = 'The database is read-only, because its server is a standby: use the address of the primary.'
  const state = async () => {
    const response = await uncached(readyz)
    return { code: response.status, ...(await response.json()) }
  }
  await expect.poll(state).toMatchObject({ code: 503, status: 'not_ready', ready: false, database: problem })
  await expect(requireUsableDatabase()).rejects.toThrow(problem)
})
