import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { send } from '../../testing/api.ts'
import { aPlan, checkoutBody } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { type Pooler, startPooler } from '../../testing/pooler.ts'
import { aShop, runDueTasks } from '../../testing/shop.ts'
import { ordersOf, pass, subscriptionOf, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { config } from '../config.ts'
import { writeBackup } from './backup.ts'
import { closeDatabase, db } from './db.ts'
import { withClient } from './one-connection.ts'
import { storeSettings } from './session-settings.mjs'
import { ForeignSessions, requireSettings } from './sessions.ts'

const direct = config().databaseUrl
let pooler: Pooler

const through = async (next: Pooler) => {
  await closeDatabase()
  pooler = next
  Object.assign(config(), { databaseUrl: pooler.url, databaseDirectUrl: direct })
}
const check = () => requireSettings((text) => db().$queryRawUnsafe(text))

async function store(): Promise<void> {
  const client = new pg.Client({ connectionString: direct })
  await client.connect()
  await storeSettings(client).finally(() => client.end())
}

beforeAll(async () => through(await startPooler(direct)))
afterAll(async () => {
  await closeDatabase()
  await pooler.close()
})

it('a pooler is refused if it has connections that are older than the stored connection settings', async () => {
  await Promise.all(Array.from({ length: 8 }, () => db().$queryRaw`SELECT 1`))
  // Several machines can start at the same time.
  await Promise.all([store(), store(), store()])
  await expect(check()).rejects.toThrow(ForeignSessions)
  const old = pooler
  await through(await startPooler(direct))
  await old.close()
  await check()
  const seen = await Promise.all(
    Array.from(
      { length: 8 },
      () =>
        db().$queryRaw<
          object[]
        >`SELECT current_setting('statement_timeout') AS statement, current_setting('timezone') AS zone,
        current_setting('lock_timeout') AS lock`,
    ),
  )
  for (const [row] of seen) expect(row).toEqual({ statement: '30s', zone: 'UTC', lock: '15s' })
})

it('a session with startup options cannot connect through the pooler', async () => {
  await closeDatabase()
  Object.assign(config(), { databaseDirectUrl: null })
  await expect(db().$queryRaw`SELECT 1`).rejects.toThrow('unsupported startup parameter: options')
  Object.assign(config(), { databaseDirectUrl: direct })
  await closeDatabase()
})

it('a sale, a renewal, and concurrent calls succeed behind a transaction pooler', async () => {
  const before = pooler.transactions()
  const scenario = await subscriptionScenario()
  await pass(scenario, 'P1M')
  await runDueTasks()
  expect((await subscriptionOf(scenario)).status).toBe('active')
  expect(await ordersOf(scenario)).toHaveLength(2)
  const shop = await aShop()
  const plan = await aPlan(shop.testKey)
  const made = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      send('POST /v1/checkouts', {
        key: shop.testKey,
        headers: { 'idempotency-key': `pooled-${n % 20}` },
        body: checkoutBody(plan.id),
      }),
    ),
  )
  expect(made.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(20)
  expect(await db().checkouts.count({ where: { storefront_id: shop.storefrontId } })).toBe(20)
  expect(await brokenInvariants()).toEqual({})
  expect(pooler.transactions() - before).toBeGreaterThan(100)
})

it('behind a pooler, each of 60 concurrent look-ups by key returns its row', async () => {
  const { storefrontId } = await aShop()
  const found = await Promise.all(
    Array.from({ length: 60 }, () => db().storefronts.findUnique({ where: { id: storefrontId } })),
  )
  expect(found.map((row) => row?.id)).toEqual(Array(60).fill(storefrontId))
})

it('a backup does not use the pooler', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-pooler-'))
  const before = pooler.transactions()
  const { rows } = await writeBackup(path.join(folder, 'backup'))
  rmSync(folder, { recursive: true })
  expect(rows).toBeGreaterThan(100)
  expect(pooler.transactions()).toBe(before)
})

it('withClient lifts the default time limits of the database user', async () => {
  const limits = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
    current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('timezone') AS zone`
  const { rows } = await withClient((client) => client.query(limits))
  expect(rows).toEqual([{ statement: '0', lock: '0', idle: '0', zone: 'UTC' }])
})
