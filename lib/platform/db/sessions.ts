import pg from 'pg'
import { config } from '../config.ts'

/** The time limit of a statement. */
export const longestStatementMs = 30_000

/**
 * What holds for each of our connections to the database: nothing waits for ever, times are in UTC, and a table whose statistics
 * are from when it was small is not read whole. PostgreSQL keeps the plan by which it looks for a referenced row until the next
 * ANALYZE; by its default cost of a random page, which is that of turning disks, that plan reads a table of a few pages from
 * end to end, and still does so while the table grows to thousands.
 */
const settings = {
  statement_timeout: `${longestStatementMs / 1_000}s`,
  lock_timeout: '15s',
  idle_in_transaction_session_timeout: '30s',
  timezone: 'UTC',
  random_page_cost: '1.1',
} as const

/**
 * The settings as an option of a new connection; undefined behind a pooler, which shares connections and takes no
 * options (`prepareSessions`).
 */
export const sessionOptions = (): string | undefined =>
  config().databaseDirectUrl === null
    ? Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' ')
    : undefined

/** The pooler has connections without our settings: stops the start of a process, in one sentence without a stack. */
export class ForeignSessions extends Error {
  override name = 'UserFacingError'

  constructor(names: readonly string[]) {
    super(
      `Connections of the pooler were opened without our ${names.join(', ')}: RECONNECT it, and let it and DATABASE_DIRECT_URL use the same user.`,
    )
  }
}

/**
 * Behind a pooler the settings are the defaults of our user in this database. Sets them, over the address that leads past
 * the pooler, and throws ForeignSessions if the pooler's connections, which `query` uses, do not have them.
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
