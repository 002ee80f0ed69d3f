import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { type Prisma, PrismaClient } from '../../prisma/client/client.ts'
import { config } from './config.ts'
import { log } from './log.ts'

/** What a store needs to read and write: the client itself, or the transaction in progress. */
export type Sql = Prisma.TransactionClient

// The server's bundle and the pages' bundle are two module graphs in one process. They share the pool through the global;
// each has a client of its own, because a client knows the helpers and errors of its own module graph only.
const shared = globalThis as typeof globalThis & { billhookPool?: pg.Pool | undefined }

let client: { readonly prisma: PrismaClient; readonly pool: pg.Pool } | undefined

function openPool(): pg.Pool {
  const { databaseUrl, databasePool } = config()
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: databasePool,
    connectionTimeoutMillis: 5_000,
    options: '-c statement_timeout=30000 -c lock_timeout=15000 -c idle_in_transaction_session_timeout=30000 -c timezone=UTC',
  })
  // An idle connection that is cut emits an error; unheard, it would end the process. The pool replaces it by itself.
  pool.on('error', (error) => log.warn({ error: error.message }, 'idle database connection lost'))
  return pool
}

/** The client for reads outside a transaction. Changes go through `transact`. */
export function db(): PrismaClient {
  shared.billhookPool ??= openPool()
  if (client?.pool !== shared.billhookPool) {
    client = { prisma: new PrismaClient({ adapter: new PrismaPg(shared.billhookPool) }), pool: shared.billhookPool }
  }
  return client.prisma
}

/** Ends all connections; the next use opens new ones. */
export async function closeDatabase(): Promise<void> {
  const pool = shared.billhookPool
  shared.billhookPool = undefined
  await client?.prisma.$disconnect()
  client = undefined
  if (pool && !pool.ended) await pool.end()
}
