import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '../../../prisma/client/client.ts'
import { config } from '../config.ts'
import { log } from '../log.ts'

/** What a store needs to read and write: the client itself, or the transaction in progress. */
export type Sql = Prisma.TransactionClient

// The server's bundle and the pages' bundle are two module graphs in one process. They share the pool through the global;
// each has a client of its own, because a client knows the helpers and errors of its own module graph only.
const shared = globalThis as typeof globalThis & {
  billhookPool?: pg.Pool | undefined
  billhookHeart?: pg.Pool | undefined
}

let client: { readonly prisma: PrismaClient; readonly pool: pg.Pool } | undefined

function openPool(max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: config().databaseUrl,
    max,
    connectionTimeoutMillis: 5_000,
    options:
      '-c statement_timeout=30000 -c lock_timeout=15000 -c idle_in_transaction_session_timeout=30000 -c timezone=UTC',
  })
  // A connection that is cut emits an error; unheard, it would end the process. The pool hears those of idle ones, and the adapter those
  // of its transactions; between the two, while a connection changes hands, nobody would. The pool replaces it by itself.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ error: error.message }, 'database connection lost'))
  })
  return pool
}

// A named statement is parsed and planned once per connection, not at every call. A list's length makes another statement
// of a query: what comes after the most that are kept stays without a name.
const mostStatements = 500
const statementNames = new Map<string, string>()

function statementName({ sql }: { sql: string }): string {
  const known = statementNames.get(sql)
  if (known !== undefined || statementNames.size === mostStatements) return known ?? ''
  // By its text: both module graphs may use it on the same connection.
  const name = createHash('sha256').update(sql).digest('base64url')
  statementNames.set(sql, name)
  return name
}

/** The client for reads outside a transaction. Changes go through `transact`. */
export function db(): PrismaClient {
  shared.billhookPool ??= openPool(config().databasePool)
  if (client?.pool !== shared.billhookPool) {
    client = {
      prisma: new PrismaClient({
        adapter: new PrismaPg(shared.billhookPool, { statementNameGenerator: statementName }),
      }),
      pool: shared.billhookPool,
    }
  }
  return client.prisma
}

/**
 * Runs one statement on a connection of its own, and answers how many rows it changed: work that holds all the others must not keep a
 * process from saying that it lives.
 */
export async function beat(text: string, values: readonly unknown[]): Promise<number> {
  shared.billhookHeart ??= openPool(1)
  return (await shared.billhookHeart.query(text, [...values])).rowCount ?? 0
}

/** Ends all connections; the next use opens new ones. */
export async function closeDatabase(): Promise<void> {
  const { billhookPool: pool, billhookHeart: heart } = shared
  shared.billhookPool = undefined
  shared.billhookHeart = undefined
  if (heart && !heart.ended) await heart.end()
  await client?.prisma.$disconnect()
  client = undefined
  if (pool && !pool.ended) await pool.end()
}

/** A row with a value, or null, for every column. */
type Row<Table extends Prisma.ModelName> = Required<
  Extract<Prisma.TypeMap['model'][Table]['operations']['createMany']['args']['data'], readonly unknown[]>[number]
>

/**
 * Inserts rows in one statement and answers how many; `skipDuplicates` leaves out those that are there. For what is
 * inserted often: Prisma keeps the plans of all queries but `createMany`, whose planning costs more than all else of it.
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

/** Updates rows, each found by its id, in one statement: the columns that the first of them names. Answers how many. */
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
  JSON.stringify(rows, (_, value) => {
    if (typeof value === 'bigint') return String(value)
    return value === Prisma.DbNull ? null : value
  })
