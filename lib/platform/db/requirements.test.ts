import { expect, it } from 'vitest'
import { requirementProblem } from './requirements.mjs'

const fine = { version: 18, encoding: 'UTF8', isReadOnly: false, isStandby: false, refusedTable: null }

it.each([
  [{ version: 13 }, 'PostgreSQL 13 is too old: it must be 14 or newer.'],
  [{ encoding: 'LATIN1' }, /^The database has the encoding LATIN1: make one with UTF8 /],
  [{ encoding: 'SQL_ASCII' }, /^The database has the encoding SQL_ASCII: /],
  [{ isReadOnly: true, isStandby: true }, /^The database is read-only, because its server is a standby: /],
  [{ isReadOnly: true }, 'The database is read-only: turn default_transaction_read_only off.'],
  [{ refusedTable: 'orders' }, /^The user of the database may not read and change the table orders: grant SELECT, /],
])('a database with the properties %j is refused', (different, sentence) => {
  expect(requirementProblem({ ...fine, ...different })).toEqual(
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  )
})

it.each([14, 15, 16, 17, 18])('PostgreSQL %s is accepted', (version) => {
  expect(requirementProblem({ ...fine, version })).toBeNull()
})
