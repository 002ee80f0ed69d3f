import pg from 'pg'
import { config } from '../config.ts'
import { typeParser } from './types.ts'

/**
 * Options of a direct connection that remove its time limits. If the service uses a pooler, the time limits are defaults of the database user
 * (`storeSettings`) and apply to direct connections too. The migration scripts have a copy of these options, because they run without `lib`.
 */
export const unlimited = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'

/** Runs `work` on a direct connection without time limits. Rolls back uncommitted changes. */
export async function withClient<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: config().databaseDirectUrl ?? config().databaseUrl,
    options: `-c timezone=UTC ${unlimited}`,
    types: { getTypeParser: typeParser },
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function migrationsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY migration_name',
  )
  return rows.map((row) => row.migration_name)
}

export async function tablesOf(client: pg.Client): Promise<[string, string[]][]> {
  const { rows } = await client.query(`
    SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attname) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
    GROUP BY c.relname ORDER BY c.relname`)
  return rows.map((row) => [row.table, row.columns])
}

export const named = (table: string, columns: readonly string[] = []) =>
  `${pg.escapeIdentifier(table)}${columns.length > 0 ? ` (${columns.map(pg.escapeIdentifier).join(', ')})` : ''}`

export const codeOf = (error: unknown): string | null => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}
