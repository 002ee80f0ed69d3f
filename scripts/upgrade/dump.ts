import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { brotliDecompressSync } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { applyMigrations } from '../apply-migrations.mjs'
import { migrationFiles } from '../migrate.mjs'

export type Reads = Readonly<Record<string, unknown>>

/** The database of a released version. Migrations never change, so the dump has rows but no table definitions. */
export interface Dump {
  readonly version: string
  readonly secretKey: string
  readonly storefrontId: string
  readonly testKey: string
  /** The names of the applied migrations, oldest first. */
  readonly migrations: readonly string[]
  readonly tables: Readonly<Record<string, { readonly columns: readonly string[]; readonly rows: string }>>
  readonly sequences: Readonly<Record<string, string>>
  readonly reads: Reads
}

const bookkeeping = '_prisma_migrations'

export const readDump = (file: string): Dump => JSON.parse(brotliDecompressSync(readFileSync(file)).toString())

const listOf = (names: readonly string[]) => names.map((name) => pg.escapeIdentifier(name)).join(', ')

async function columnsOf(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' AND table_name <> $1
     GROUP BY table_name ORDER BY table_name`,
    [bookkeeping],
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** Reads all tables in one snapshot. */
export async function takeRows(databaseUrl: string): Promise<Pick<Dump, 'migrations' | 'tables' | 'sequences'>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const tables: Record<string, { columns: string[]; rows: string }> = {}
    for (const [name, columns] of await columnsOf(client)) {
      const rows = await text(client.query(copyTo(`COPY ${pg.escapeIdentifier(name)} (${listOf(columns)}) TO STDOUT`)))
      if (rows !== '') tables[name] = { columns, rows }
    }
    const sequences = await client.query<{ name: string; last: string }>(
      `SELECT sequencename AS name, last_value AS last FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`,
    )
    const applied = await client.query<{ name: string }>(
      `SELECT migration_name AS name FROM ${bookkeeping} WHERE finished_at IS NOT NULL ORDER BY migration_name`,
    )
    return {
      migrations: applied.rows.map(({ name }) => name),
      tables,
      sequences: Object.fromEntries(sequences.rows.map(({ name, last }) => [name, last])),
    }
  } finally {
    await client.end()
  }
}

export async function restoreDump(databaseUrl: string, dump: Dump): Promise<void> {
  const files = migrationFiles().filter(({ name }) => dump.migrations.includes(name))
  if (files.length !== dump.migrations.length) throw new Error(`a migration of ${dump.version} is missing`)
  await applyMigrations(databaseUrl, files)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('BEGIN')
    // Disables triggers and foreign keys, because the rows were already checked when they were first written.
    await client.query('SET LOCAL session_replication_role = replica')
    await client.query(`TRUNCATE ${listOf([...(await columnsOf(client)).keys()])}`)
    for (const [name, { columns, rows }] of Object.entries(dump.tables)) {
      const into = client.query(copyFrom(`COPY ${pg.escapeIdentifier(name)} (${listOf(columns)}) FROM STDIN`))
      await pipeline(Readable.from([rows]), into)
    }
    for (const [name, last] of Object.entries(dump.sequences))
      await client.query('SELECT setval($1::regclass, $2)', [pg.escapeIdentifier(name), last])
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}
