import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
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
import { ForeignSessions, prepareSessions } from './sessions.ts'

/** All behind a pooler in transaction mode: each transaction has another connection than the one before. */

const direct = config().databaseUrl
let pooler: Pooler

const through = async (next: Pooler) => {
  await closeDatabase()
  pooler = next
  Object.assign(config(), { databaseUrl: pooler.url, databaseDirectUrl: direct })
}
const prepare = () => prepareSessions((text) => db().$queryRawUnsafe(text))

beforeAll(async () => through(await startPooler(direct)))
afterAll(async () => {
  await closeDatabase()
  await pooler.close()
})

it('is not used while its connections have other settings than ours', async () => {
  await expect(prepare()).rejects.toThrow(ForeignSessions)
  const old = pooler
  await through(await startPooler(direct))
  await old.close()
  await prepare()
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

it('takes no session with options, as we open them without a pooler', async () => {
  await closeDatabase()
  Object.assign(config(), { databaseDirectUrl: null })
  await expect(db().$queryRaw`SELECT 1`).rejects.toThrow('unsupported startup parameter: options')
  Object.assign(config(), { databaseDirectUrl: direct })
  await closeDatabase()
})

it('a sale, a renewal, and many calls at once work on whichever connection they get', async () => {
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

it('rows that are looked up by their keys at once each have a connection', async () => {
  const { storefrontId } = await aShop()
  const found = await Promise.all(
    Array.from({ length: 60 }, () => db().storefronts.findUnique({ where: { id: storefrontId } })),
  )
  expect(found.map((row) => row?.id)).toEqual(Array(60).fill(storefrontId))
})

it('is passed by a backup, which is one long session', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-pooler-'))
  const before = pooler.transactions()
  const { rows } = await writeBackup(path.join(folder, 'backup'))
  rmSync(folder, { recursive: true })
  expect(rows).toBeGreaterThan(100)
  expect(pooler.transactions()).toBe(before)
})

it('what reads or writes all of something has none of the limits that are defaults of our user here', async () => {
  const limits = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
    current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('timezone') AS zone`
  const { rows } = await withClient((client) => client.query(limits))
  expect(rows).toEqual([{ statement: '0', lock: '0', idle: '0', zone: 'UTC' }])
})
