import net from 'node:net'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { config } from '../config.ts'
import { log } from '../log.ts'
import { closeDatabase, db } from './db.ts'
import { openPool, shared } from './pool.ts'
import { isUnavailable } from './unavailable.ts'

const network = net.createServer((client) => {
  const { hostname, port } = new URL(config().databaseUrl)
  const database = net.connect(Number(port), hostname)
  client.on('data', (bytes) => isUp && database.write(bytes))
  database.on('data', (bytes) => client.write(bytes))
  for (const [one, other] of [
    [client, database],
    [database, client],
  ] as const)
    one.on('error', () => undefined).on('close', () => other.destroy())
})
let isUp = true
const timeoutMs = 300
let pool: pg.Pool

beforeAll(async () => {
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
  const { port } = network.address() as net.AddressInfo
  const url = Object.assign(new URL(config().databaseUrl), { hostname: '127.0.0.1', port: String(port) })
  await closeDatabase()
  pool = openPool(2, url.href, { query_timeout: timeoutMs })
  shared.billhookPool = pool
  vi.spyOn(log, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  isUp = true
})
afterAll(async () => {
  await closeDatabase()
  network.close()
  vi.restoreAllMocks()
})

const one = () => db().$queryRaw<{ one: number }[]>`SELECT 1 AS one`

it('a query without a response fails as a temporary error, and its connection is replaced', async () => {
  expect(await one()).toEqual([{ one: 1 }])
  isUp = false
  const error = await one().catch((thrown: unknown) => thrown)
  expect(isUnavailable(error)).toBe(true)
  isUp = true
  expect(await one()).toEqual([{ one: 1 }])
})

it('a transaction fails and changes nothing if it loses its network connection', async () => {
  const work = db().$transaction(async (sql) => {
    await sql.$executeRaw`CREATE TABLE lost (id int)`
    isUp = false
    await sql.$executeRaw`INSERT INTO lost VALUES (1)`
  })
  expect(isUnavailable(await work.catch((thrown: unknown) => thrown))).toBe(true)
  isUp = true
  expect(await db().$queryRaw`SELECT to_regclass('lost')::text AS found`).toEqual([{ found: null }])
  // The pool has two slots. A lost connection that kept its slot would leave one usable connection.
  const usable = await Promise.all([pool.connect(), pool.connect()])
  for (const each of usable) expect((await each.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  for (const each of usable) each.release()
})

it('statementMs raises the time limit of only one transaction', async () => {
  const slow = db().$transaction((sql) => sql.$queryRaw`SELECT pg_sleep(${(2 * timeoutMs) / 1_000})::text AS slept`, {
    statementMs: 10_000,
  })
  expect(await slow).toEqual([{ slept: '' }])
  isUp = false
  expect(isUnavailable(await one().catch((thrown: unknown) => thrown))).toBe(true)
})

it('PostgreSQL cancels a statement that exceeds statementMs', async () => {
  const slow = db().$transaction((sql) => sql.$queryRaw`SELECT pg_sleep(10)::text`, { statementMs: 50 })
  await expect(slow).rejects.toMatchObject({ code: '57014' })
})
