import pg from 'pg'
import { config } from '../config.ts'

/** The time limit of a statement. */
export const longestStatementMs = 30_000

/**
 * The settings of each database connection: all waits are limited, and times are in UTC. The cost of a random page is
 * that of a solid-state disk. PostgreSQL keeps the plan of a foreign key check until the next ANALYZE. With the default
 * cost, that of a rotating disk, the plan scans a table of a few pages, and still does so when the table has thousands.
 */
const settings = {
  statement_timeout: `${longestStatementMs / 1_000}s`,
  lock_timeout: '15s',
  idle_in_transaction_session_timeout: '30s',
  timezone: 'UTC',
  random_page_cost: '1.1',
} as const

/** Undefined behind a pooler, which shares connections and accepts no options (`prepareSessions`). */
export const sessionOptions = (): string | undefined =>
  config().databaseDirectUrl === null
    ? Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' ')
    : undefined

/** The pooler's connections lack our settings. Stops the start of a process, with one sentence and no stack. */
export class ForeignSessions extends Error {
  override name = 'UserFacingError'

  constructor(names: readonly string[]) {
    super(
      `Connections of the pooler were opened without our ${names.join(', ')}: RECONNECT it, and let it and DATABASE_DIRECT_URL use the same user.`,
    )
  }
}

/**
 * Behind a pooler the settings are defaults of our user in this database. Sets them through the direct address. Throws
 * ForeignSessions if the pooler's connections, which `query` uses, do not have them.
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
  if (!row) throw new Error('the database answered nothing')
  return row
}

const foreign = (found: Settings) => names.filter((name) => found[name] !== settings[name])
