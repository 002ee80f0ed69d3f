import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '../../../prisma/client/client.ts'
import { config } from '../config.ts'
import { log } from '../log.ts'

/** What a store reads and writes with: the client itself, or the transaction in progress. */
export type Sql = Prisma.TransactionClient

// The server's bundle and the pages' bundle are two module graphs in one process. They share the pool through the
// global object. Each has a client of its own, because a client knows the helpers and errors of its own module graph
// only.
const shared = globalThis as typeof globalThis & {
  billhookPool?: pg.Pool | undefined
  billhookHeart?: pg.Pool | undefined
}

let client: PrismaClient | undefined
let connectedTo: pg.Pool | undefined

function openPool(max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: config().databaseUrl,
    max,
    connectionTimeoutMillis: 5_000,
    options:
      '-c statement_timeout=30000 -c lock_timeout=15000 -c idle_in_transaction_session_timeout=30000 -c timezone=UTC',
  })
  // A connection that is cut emits an error, which without a listener would end the process. The pool listens on idle
  // connections and the adapter on those of its transactions, but nobody does while a connection changes hands. The
  // pool replaces the connection.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ error: error.message }, 'database connection lost'))
  })
  return pool
}

// A named statement is parsed and planned once per connection, not at every call. The same query with a list of another
// length is another statement; statements beyond this limit stay unnamed.
const mostStatements = 500
const statementNames = new Map<string, string>()

function statementName({ sql }: { sql: string }): string {
  const known = statementNames.get(sql)
  if (known !== undefined || statementNames.size === mostStatements) return known ?? ''
  // Named by its text: both module graphs may use the statement on the same connection.
  const name = createHash('sha256').update(sql).digest('base64url')
  statementNames.set(sql, name)
  return name
}

function currentPool(): pg.Pool {
  shared.billhookPool ??= openPool(config().databasePool)
  return shared.billhookPool
}

/** Connects to the pool that is open by then, so that a client that is connected again keeps its compiled queries. */
class PoolAdapter extends PrismaPg {
  override connect() {
    connectedTo = currentPool()
    return new PrismaPg(connectedTo, { statementNameGenerator: statementName }).connect()
  }
}

/** The client for reads outside a transaction. Changes go through `transact`. */
export function db(): PrismaClient {
  const pool = currentPool()
  // The pool that it is connected to was closed, but not from here, or not without an error.
  if (connectedTo && connectedTo !== pool) client = undefined
  client ??= new PrismaClient({ adapter: new PoolAdapter({}) })
  return client
}

/**
 * Runs one statement on a separate connection and returns the number of rows it changed. A process must be able to
 * extend its leases even if its work uses all other connections.
 */
export async function beat(text: string, values: readonly unknown[]): Promise<number> {
  shared.billhookHeart ??= openPool(1)
  return (await shared.billhookHeart.query(text, [...values])).rowCount ?? 0
}

/** Closes all connections; the next use opens new ones. */
export async function closeDatabase(): Promise<void> {
  const { billhookPool: pool, billhookHeart: heart } = shared
  shared.billhookPool = undefined
  shared.billhookHeart = undefined
  const closing = client
  if (heart && !heart.ended) await heart.end()
  await closing?.$disconnect()
  if (connectedTo === pool) connectedTo = undefined
  if (pool && !pool.ended) await pool.end()
  statementNames.clear() // they were of its connections
}

/** A row with a value, or null, for every column. */
type Row<Table extends Prisma.ModelName> = Required<
  Extract<Prisma.TypeMap['model'][Table]['operations']['createMany']['args']['data'], readonly unknown[]>[number]
>

/**
 * Inserts rows in one statement and returns their number; `skipDuplicates` skips rows that exist. For frequent inserts:
 * Prisma caches the plans of all queries but `createMany`, and planning is the largest part of that query's cost.
 */
export function insertRows<Table extends Prisma.ModelName>(
  sql: Sql,
  table: Table,
  rows: readonly Row<Table>[],
  { skipDuplicates = false } = {},
): Promise<number> {
  const values = asJson(rows)
  const into = Prisma.raw(table)
  return sql.$executeRaw`
    INSERT INTO ${into} SELECT * FROM json_populate_recordset(NULL::${into}, ${values}::json)
    ${skipDuplicates ? Prisma.sql`ON CONFLICT DO NOTHING` : Prisma.empty}`
}

/**
 * Updates rows, each found by its id, in one statement. The first row determines the columns. Returns the number of
 * rows.
 */
export async function updateRows<Table extends Prisma.ModelName>(
  sql: Sql,
  table: Table,
  rows: readonly (Partial<Row<Table>> & { id: string })[],
): Promise<number> {
  const [first] = rows
  if (!first) return 0
  const name = Prisma.raw(table)
  const columns = Object.keys(first).filter((column) => column !== 'id')
  const set = Prisma.raw(columns.map((column) => `"${column}" = changed."${column}"`).join(', '))
  return sql.$executeRaw`
    UPDATE ${name} AS target SET ${set} FROM json_populate_recordset(NULL::${name}, ${asJson(rows)}::json) AS changed
    WHERE target.id = changed.id`
}

const asJson = (rows: readonly object[]): string =>
  JSON.stringify(rows, function (this: Record<string, unknown>, name, value) {
    if (typeof value === 'bigint') return String(value)
    // A Buffer has turned itself into an object by now.
    const bytes = this[name]
    if (bytes instanceof Uint8Array) return `\\x${Buffer.from(bytes).toString('hex')}`
    return value === Prisma.DbNull ? null : value
  })
