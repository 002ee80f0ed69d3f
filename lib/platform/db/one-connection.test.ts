import { expect, it } from 'vitest'
import * as ofMigrations from '../../../scripts/migration-connection.mjs'
import { unlimited } from './one-connection.ts'

it('lifts the limits that migrations lift too', () => {
  expect(unlimited).toBe(ofMigrations.unlimited)
})
