import pg from 'pg'
import { afterAll } from 'vitest'

/** The connection survives simulated crashes, so PostgreSQL keeps its query plans. A new one replaces an ended one. */
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
      // An idle connection may notice only now that it was ended.
      if (known) return run(query)
      throw error
    }
  }

  afterAll(() => open?.end().catch(() => undefined))
  return run
}
