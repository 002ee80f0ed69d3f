import { beforeAll, expect, it } from 'vitest'
import { send } from '../../testing/api.ts'
import { configure } from '../../testing/configure.ts'
import { lastingConnection } from '../../testing/lasting-connection.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { db } from './db.ts'

configure({ DATABASE_POOL: '1' })
const run = lastingConnection('')
let large: Shop

beforeAll(async () => {
  large = await aShop()
  await aShop()
  await db().$executeRaw`
    INSERT INTO customers (id, storefront_id, testmode, email, created_at)
    SELECT 'customer_' || lpad(n::text, 22, '0'), ${large.storefrontId}, true, n || '@shop.example', now()
    FROM generate_series(1, 5000) AS n`
  await db().$executeRaw`ANALYZE customers`
})

it('list requests with different limits use the same generic query plan', async () => {
  // The server of the tests makes only generic plans. The pool has one connection, so all requests use this setting.
  await db().$executeRaw`SET plan_cache_mode = auto`
  const asked = [1, 10, 20, 100, 10, 1, 100, 10, 20, 1]
  for (const limit of asked) await send(`GET /v1/customers?limit=${limit}`, { key: large.testKey })
  const [plans] = await db().$queryRaw<{ generic: bigint; custom: bigint }[]>`
    SELECT generic_plans AS generic, custom_plans AS custom FROM pg_prepared_statements
    WHERE statement LIKE 'SELECT t0.%FROM "customers"%ORDER BY%"id" DESC%'`
  // PostgreSQL makes five custom plans before it uses the generic plan.
  expect(plans).toEqual({ generic: BigInt(asked.length - 5), custom: 5n })
})

it('a list request uses the index whose first column is the storefront', async () => {
  const plan = await run<{ 'QUERY PLAN': string }>({
    text: `EXPLAIN (GENERIC_PLAN)
      SELECT * FROM customers WHERE storefront_id = $1 AND testmode = $2 ORDER BY id DESC LIMIT $3`,
  })
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('customers_storefront_id_testmode_id_idx')
})
