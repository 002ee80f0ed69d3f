import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OldDatabase, oldDatabase } from '../lib/testing/old-database.ts'

/**
 * A migration declares its locks at its top. `-- Locks: orders (SHARE)` names an existing table and its strongest lock.
 * `-- Rewrites: orders` names a table that PostgreSQL rewrites.
 */
const all = readdirSync('prisma/migrations')
  .filter((folder) => /^\d/.test(folder))
  .sort()
const [initial = '', ...later] = all

/** Locks that block other sessions. SHARE blocks writers, and ACCESS EXCLUSIVE blocks all sessions. */
const noticed = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']
const nameOf = (mode: string) =>
  mode
    .replace(/Lock$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()

let old: OldDatabase
beforeAll(async () => {
  old = await oldDatabase('migration_locks', initial)
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

async function run(migrate: () => Promise<unknown>) {
  const before = await tables()
  await old.client.query('BEGIN')
  await migrate()
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

describe('the locks and rewrites of a migration', () => {
  it.each(later)('the migration %s declares the locks and rewrites that it causes', async (migration) => {
    const text = readFileSync(`prisma/migrations/${migration}/migration.sql`, 'utf8')
    const declared = { locks: said(text, 'Locks'), rewrites: said(text, 'Rewrites') }
    expect(declared).toEqual(await run(() => old.migrate(migration)))
  })

  it('the lock check finds an index, a rewritten column, and a new foreign key', async () => {
    const taken = await run(() =>
      old.client.query(`
        CREATE INDEX orders_example ON orders (currency);
        ALTER TABLE tasks ALTER COLUMN attempts TYPE bigint;
        CREATE TABLE examples (id text PRIMARY KEY, customer_id text REFERENCES customers (id))`),
    )
    expect(taken).toEqual({
      locks: ['customers (SHARE ROW EXCLUSIVE)', 'orders (SHARE)', 'tasks (ACCESS EXCLUSIVE)'],
      rewrites: ['tasks'],
    })
  })
})
