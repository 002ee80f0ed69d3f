import pg from 'pg'
import { config } from '../config.ts'

export const longestStatementMs = 30_000

/**
 * Settings of each connection. `random_page_cost` has the value for a solid-state disk. With the default value, a
 * foreign key check would scan a table that has only a few pages. PostgreSQL would keep this plan until the next
 * ANALYZE, even after the table has grown.
 */
const settings = {
  statement_timeout: `${longestStatementMs / 1_000}s`,
  lock_timeout: '15s',
  idle_in_transaction_session_timeout: '30s',
  timezone: 'UTC',
  random_page_cost: '1.1',
} as const

/** The settings as startup options. Undefined behind a pooler, which accepts no options (see `prepareSessions`). */
export const sessionOptions = (): string | undefined =>
  config().databaseDirectUrl === null
    ? Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' ')
    : undefined

/** Thrown if the pooler's connections lack our settings. A starting process prints this error without a stack trace. */
export class ForeignSessions extends Error {
  override name = 'UserFacingError'

  constructor(names: readonly string[]) {
    super(
      `The pooler opened connections without these settings: ${names.join(', ')}. RECONNECT the pooler, and use the same user for the pooler and DATABASE_DIRECT_URL.`,
    )
  }
}

/**
 * Behind a pooler, stores the settings as defaults of our database user. Throws ForeignSessions if the pooler's
 * connections, which `query` uses, do not have the settings.
 */
export async function prepareSessions(query: (text: string) => Promise<Settings[]>): Promise<void> {
  const { databaseDirectUrl, databaseConnectMs } = config()
  if (databaseDirectUrl === null) return
  const client = new pg.Client({ connectionString: databaseDirectUrl, connectionTimeoutMillis: databaseConnectMs })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT current_database() AS name')
    for (const name of foreign(await settingsOf((text) => client.query(text).then((result) => result.rows))))
      await client.query(
        `ALTER ROLE CURRENT_USER IN DATABASE ${pg.escapeIdentifier(rows[0].name)} SET ${name} = '${settings[name]}'`,
      )
  } finally {
    await client.end()
  }
  const missing = foreign(await settingsOf(query))
  if (missing.length > 0) throw new ForeignSessions(missing)
}

export type Settings = Readonly<Record<keyof typeof settings, string>>
const names = Object.keys(settings) as (keyof typeof settings)[]

async function settingsOf(query: (text: string) => Promise<Settings[]>): Promise<Settings> {
  const [row] = await query(`SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`)
  if (!row) throw new Error('the database returned no row')
  return row
}

const foreign = (found: Settings) => names.filter((name) => found[name] !== settings[name])
