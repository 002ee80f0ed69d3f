import pg from 'pg'
import { afterAll } from 'vitest'
import { invariants } from '../modules/invariants/queries/index.ts'

// All in one statement: tests run them after each step, and a hundred round trips would take longer than the step.
const all = invariants
  .map(
    ({ of, name, query }) =>
      `SELECT '${of} ${name}' AS name, array_agg(DISTINCT id::text) AS ids FROM (${query}) found HAVING count(*) > 0`,
  )
  .join(' UNION ALL ')

// Planning the statement takes several times as long as running it, and the connections of the service are closed with
// each crash. This one stays, and with it the plan.
let connection: pg.Client | undefined

/** The violated invariants, with the ids of the violating rows. */
export async function brokenInvariants(): Promise<Record<string, readonly string[]>> {
  const broken = await runAll()
  return Object.fromEntries(broken.map(({ name, ids }) => [name, ids]))
}

/** Also between a crash and the recovery from it: they hold at every moment. */
export const brokenAtRest = () => brokenInvariants()

async function runAll(): Promise<{ name: string; ids: string[] }[]> {
  const known = connection
  const client = known ?? (await connect())
  connection = client
  try {
    return (await client.query({ name: 'invariants', text: all })).rows
  } catch (error) {
    connection = undefined
    await client.end().catch(() => undefined)
    // Tests end connections, which one that is idle may notice only now.
    if (known) return runAll()
    throw error
  }
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: process.env.DATABASE_URL,
    options: '-c statement_timeout=30000 -c timezone=UTC',
  })
  client.on('error', () => undefined) // The next query gets the error too.
  await client.connect()
  return client
}

afterAll(() => connection?.end().catch(() => undefined))
