import { afterAll, expect, it } from 'vitest'
import { configure } from '../../testing/configure.ts'
import { openPool } from './pool.ts'
import { isUnavailable } from './unavailable.ts'

configure({ DATABASE_CONNECT_TIMEOUT: '1' })
const pool = openPool(1)
afterAll(() => pool.end())

it('a wait for a free database connection fails with a temporary error after DATABASE_CONNECT_TIMEOUT', async () => {
  const busy = await pool.connect()
  await expect(pool.connect()).rejects.toSatisfy(isUnavailable)
  busy.release()
  const { rows } = await pool.query('SELECT 1 AS one')
  expect(rows).toEqual([{ one: 1 }])
})
