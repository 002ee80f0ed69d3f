import pg from 'pg'
import { afterAll } from 'vitest'

/**
 * A connection to the test's database beside those of the service, which are closed with each crash: its plans stay.
 * One that was ended by a test is replaced.
 */
export function lastingConnection(
  options: string,
): <Row>(query: { name?: string; text: string; values?: unknown[] }) => Promise<Row[]> {
  let open: pg.Client | undefined

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: process.env.DATABASE_URL,
      options: `-c timezone=UTC -c statement_timeout=30000 ${options}`,
    })
    client.on('error', () => undefined) // The next query gets the error too.
    await client.connect()
    return client
  }

  async function run<Row>(query: { name?: string; text: string; values?: unknown[] }): Promise<Row[]> {
    const known = open
    const client = known ?? (await connect())
    open = client
    try {
      return (await client.query(query)).rows
    } catch (error) {
      open = undefined
      await client.end().catch(() => undefined)
      // One that was idle may notice its end only now.
      if (known) return run(query)
      throw error
    }
  }

  afterAll(() => open?.end().catch(() => undefined))
  return run
}
