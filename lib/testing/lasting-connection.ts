import pg from 'pg'
import { afterAll } from 'vitest'

/**
 * Returns a function that runs all queries on one connection, so that PostgreSQL keeps its query plans. Simulated
 * crashes do not cut this connection. If the connection ends, the next query opens a new connection.
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
    client.on('error', () => undefined)
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
      // Only a failed query reveals that the server has ended an idle connection. So a query that fails on a connection
      // from an earlier call runs again on a new connection.
      if (known) return run(query)
      throw error
    }
  }

  afterAll(() => open?.end().catch(() => undefined))
  return run
}
