import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OldDatabase, oldDatabase } from '../lib/testing/old-database.ts'

/**
 * A migration runs while other processes serve: it says in its first lines what it locks, and this test runs it and looks.
 * `-- Locks: orders (SHARE)` for each table that is there before, by the strongest lock that others notice;
 * `-- Rewrites: orders` for each whose rows are all written again.
 */
const since = '20261124133000'

const all = readdirSync('prisma/migrations')
  .filter((folder) => /^\d/.test(folder))
  .sort()
const recent = all.filter((folder) => folder >= since)

/** A lock that readers and writers do not notice is not named. SHARE stops writers, ACCESS EXCLUSIVE all. */
const noticed = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']
const nameOf = (mode: string) =>
  mode
    .replace(/Lock$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()

let old: OldDatabase
beforeAll(async () => {
  old = await oldDatabase('migration_locks', ...all.filter((folder) => folder < since))
})
afterAll(() => old.drop())

const tables = async () =>
  new Map(
    (
      await old.client.query<{ name: string; file: number }>(
        "SELECT relname AS name, relfilenode AS file FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
      )
    ).rows.map(({ name, file }) => [name, file]),
  )

/** Runs a migration, and returns what it locked and rewrote of the tables that there were. */
async function run(migration: string) {
  const before = await tables()
  await old.client.query('BEGIN')
  await old.migrate(migration)
  const { rows } = await old.client.query<{ name: string; mode: string }>(`
    SELECT relname AS name, mode FROM pg_locks JOIN pg_class ON pg_class.oid = relation
    WHERE pid = pg_backend_pid() AND relkind = 'r' AND relnamespace = 'public'::regnamespace`)
  const after = await tables()
  await old.client.query('COMMIT')
  const strongest = new Map<string, string>()
  for (const mode of noticed)
    for (const row of rows) if (row.mode === mode && before.has(row.name)) strongest.set(row.name, nameOf(mode))
  return {
    locks: [...strongest].map(([name, mode]) => `${name} (${mode})`).sort(),
    rewrites: [...before].flatMap(([name, file]) => (after.has(name) && after.get(name) !== file ? [name] : [])).sort(),
  }
}

const said = (text: string, word: string) =>
  [...text.matchAll(new RegExp(`^-- ${word}: (.+)$`, 'gm'))].flatMap(([, list]) => list?.split(', ') ?? []).sort()

describe('a migration says what it locks', () => {
  it.each(recent)('%s', async (migration) => {
    const text = readFileSync(`prisma/migrations/${migration}/migration.sql`, 'utf8')
    expect({ locks: said(text, 'Locks'), rewrites: said(text, 'Rewrites') }).toEqual(await run(migration))
  })
})
