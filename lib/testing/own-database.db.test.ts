import { expect, it } from 'vitest'
import { currentPool } from '../platform/db/pool.ts'
import { configure } from './configure.ts'

// This pool simulates a pool that late work of an earlier test file opens.
const early = currentPool()
configure({ DATABASE_POOL: '3' })

it('a connection pool that was opened before a test file changed the configuration is replaced', () => {
  expect(early.ended).toBe(true)
  expect(currentPool().options.max).toBe(3)
})
