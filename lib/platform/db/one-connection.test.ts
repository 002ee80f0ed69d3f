import { expect, it } from 'vitest'
import * as ofMigrations from '../../../scripts/migration-connection.mjs'
import { unlimited } from './one-connection.ts'

it('the connection options that remove all time limits are the same in `lib` and in the migration scripts', () => {
  expect(unlimited).toBe(ofMigrations.unlimited)
})
