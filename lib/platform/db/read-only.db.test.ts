import { afterEach, beforeAll, expect, it } from 'vitest'
import { GET as readyz } from '@/app/readyz/route.ts'
import { POST } from '@/app/v1/customers/route.ts'
import { doctor } from '../../server/doctor.ts'
import { requireUsableDatabase } from '../../server/usable-database.ts'
import { queried } from '../../testing/installations.ts'
import { aShop, call, type Shop } from '../../testing/shop.ts'
import { uncached } from '../../testing/uncached.ts'
import { config } from '../config.ts'
import { ServiceProblems } from '../outbound/service-problems.ts'
import { closeDatabase, db } from './db.ts'

/** Simulates a failover: the address leads to a new server, and open connections lead to the former server. */

const database = new URL(config().databaseUrl).pathname.slice(1)
const server = process.env.TEST_DATABASE_URL ?? ''
let shop: Shop

/** Changes the default of new sessions. A session that began while the database was read-only stays read-only. */
const setReadOnly = async (isReadOnly: boolean) => {
  await queried(server, `ALTER DATABASE "${database}" SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
}

beforeAll(async () => {
  shop = await aShop()
})
afterEach(() => setReadOnly(false))

const create = () =>
  call(POST, 'POST', '/v1/customers', {
    key: shop.testKey,
    body: { email: 'ada@example.com', name: 'Ada', country: 'NL' },
  })
const ready = async () => {
  const response = await uncached(readyz)
  return { code: response.status, ...(await response.json()) }
}
const connectionsAre = async (state: 'on' | 'off', count: number) => {
  const asked = Array.from(
    { length: count },
    () => db().$queryRaw<{ state: string }[]>`
    SELECT current_setting('default_transaction_read_only') AS state, pg_sleep(0.1)::text`,
  )
  return (await Promise.all(asked)).every(([row]) => row?.state === state)
}

it('requests get 503 while the database is read-only, and succeed after the database accepts writes', async () => {
  await closeDatabase()
  await setReadOnly(true)
  const refused = await create()
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const refusing = { code: 503, ready: false, database: expect.stringMatching(/^The database is read-only/) }
  await expect.poll(ready).toMatchObject(refusing)
  await setReadOnly(false)
  await expect.poll(async () => (await create()).status).toBe(201)
  await expect.poll(ready).toMatchObject({ code: 200, ready: true, database: 'ok' })
})

it('after one refused write, connections to the former primary database are replaced', async () => {
  await closeDatabase()
  await setReadOnly(true)
  expect(await connectionsAre('on', 5)).toBe(true)
  await setReadOnly(false)
  expect((await create()).status).toBe(503)
  await expect.poll(() => connectionsAre('off', 5)).toBe(true)
})

it('after a failover, a process that never writes also replaces its connections to the former primary database', async () => {
  await closeDatabase()
  await setReadOnly(true)
  expect(await connectionsAre('on', 5)).toBe(true)
  await setReadOnly(false)
  const problems = new ServiceProblems(100)
  problems.start()
  await expect.poll(() => connectionsAre('off', 5)).toBe(true)
  await problems.stop()
})

it('the service does not start on a read-only database, and `doctor` reports the reason', async () => {
  await closeDatabase()
  await setReadOnly(true)
  await expect(requireUsableDatabase()).rejects.toMatchObject({
    name: 'UserFacingError',
    message: 'The database is read-only: turn default_transaction_read_only off.',
  })
  const checks = await doctor()
  expect(checks.find(({ check }) => check === 'database')).toMatchObject({
    state: 'missing',
    message: 'The database is read-only: turn default_transaction_read_only off.',
  })
  for (const name of ['tasks', 'invariants'])
    expect(checks.find(({ check }) => check === name)?.message, name).toBe(
      'Unknown while the service cannot use the database (see the line `database`).',
    )
})
