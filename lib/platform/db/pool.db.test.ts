import { afterAll, expect, it } from 'vitest'
import { configure } from '../../testing/configure.ts'
import { openPool } from './pool.ts'
import { isUnavailable } from './unavailable.ts'

configure({ DATABASE_CONNECT_TIMEOUT: '1' })
const pool = openPool(1)
afterAll(() => pool.end())

it('waits for a free connection no longer than DATABASE_CONNECT_TIMEOUT, and then counts as a database that is away for a moment', async () => {
  const busy = await pool.connect()
  await expect(pool.connect()).rejects.toSatisfy(isUnavailable)
  busy.release()
  const { rows } = await pool.query('SELECT 1 AS one')
  expect(rows).toEqual([{ one: 1 }])
})
