import { expect, it } from 'vitest'
import * as ofMigrations from '../../../scripts/migration-connection.mjs'
import { unlimited } from './one-connection.ts'

it('a long session lifts the same time limits as a migration', () => {
  expect(unlimited).toBe(ofMigrations.unlimited)
})
