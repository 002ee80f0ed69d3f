import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { config } from '../platform/config.ts'
import { closeDatabase, db } from '../platform/db/db.ts'
import { reader } from '../platform/db/replica.ts'
import { log } from '../platform/log.ts'
import { anOperator } from '../testing/operator.ts'
import { type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

/** The replica in this test is the same database. In `pg_stat_activity`, `application_name` identifies the connections to the replica. */
const named = (name: string) =>
  Object.assign(new URL(config().databaseUrl), { search: `application_name=${name}` }).href
const askedOf = async (name: string) =>
  (
    await db().$queryRaw<{ query: string }[]>`
      SELECT query FROM pg_stat_activity WHERE application_name = ${name} AND datname = current_database()`
  ).map(({ query }) => query)

let scenario: Scenario
let cookies: string | null

beforeAll(async () => {
  scenario = await subscriptionScenario()
  ;({ cookies } = await anOperator('replica@example.com'))
})
beforeEach(closeDatabase)

const orders = (parameters: Record<string, string> = {}) =>
  admin.ordersPage({ mode: 'test', storefrontId: scenario.shop.storefrontId }, parameters, cookies)

it('only lists are read from the replica database', async () => {
  Object.assign(config(), { databaseReplicaUrl: named('lists') })
  expect((await orders())?.rows).toHaveLength(1)
  expect(await askedOf('lists')).toEqual([expect.stringMatching(/FROM "chargebacks"/)])
  const place = { mode: 'test', storefrontId: scenario.shop.storefrontId }
  expect((await admin.customersPage(place, {}, cookies))?.rows).toHaveLength(1)
  // For each connection, PostgreSQL reports only the last query.
  const last = await askedOf('lists')
  expect(last.length).toBeGreaterThan(0)
  for (const query of last) expect(query).toMatch(/FROM "?(?:customers|orders|subscriptions)/)
})

it('after a person sends a form, the next list is read from the primary database', async () => {
  Object.assign(config(), { databaseReplicaUrl: named('forms') })
  expect((await orders({ done: 'refunded' }))?.rows).toHaveLength(1)
  expect(await askedOf('forms')).toEqual([])
})

it('after a connection to the replica fails, lists are read from the primary without another attempt to connect', async () => {
  Object.assign(config(), { databaseReplicaUrl: 'postgresql://nobody@127.0.0.1:1/nothing' })
  expect((await orders())?.rows).toHaveLength(1)
  Object.assign(config(), { databaseReplicaUrl: named('later') })
  expect((await orders())?.rows).toHaveLength(1)
  expect(await askedOf('later')).toEqual([])
})

it('an invalid query on the replica throws the error of the database', async () => {
  await expect(reader().$queryRaw`SELECT 1 / 0`).rejects.toThrow('division by zero')
})

it('if the replica does not have our tables, a warning is logged once per minute, and lists are read from the primary', async () => {
  const now = vi.spyOn(performance, 'now')
  const said = vi.spyOn(log, 'warn')
  const pass = (minutes: number) => now.mockReturnValue(1_000_000_000 + minutes * 60_000)
  Object.assign(config(), { databaseReplicaUrl: process.env.TEST_DATABASE_URL })
  for (const minutes of [0, 0.9, 1.1]) {
    pass(minutes)
    expect((await orders())?.rows).toHaveLength(1)
  }
  const words = 'the replica belongs to a different database: lists use the main database'
  expect(said.mock.calls.map(([, text]) => text)).toEqual([words, words])
  vi.restoreAllMocks()
})
