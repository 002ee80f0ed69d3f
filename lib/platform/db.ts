import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { type Prisma, PrismaClient } from '../../prisma/client/client.ts'
import { config } from './config.ts'
import { log } from './log.ts'

/** What a store needs to read and write: the client itself, or the transaction in progress. */
export type Sql = Prisma.TransactionClient

interface Database {
  client: PrismaClient
  pool: pg.Pool
}

// The server's bundle and the pages' bundle are two module graphs in one process: the pool is shared through the global.
const shared = globalThis as typeof globalThis & { billhookDatabase?: Database | undefined }

function open(): Database {
  const { databaseUrl, databasePool } = config()
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: databasePool,
    connectionTimeoutMillis: 5_000,
    options:
      '-c statement_timeout=30000 -c lock_timeout=15000 -c idle_in_transaction_session_timeout=30000 -c timezone=UTC',
  })
  // An idle connection that is cut emits an error; unheard, it would end the process. The pool replaces it by itself.
  pool.on('error', (error) => log.warn({ error: error.message }, 'idle database connection lost'))
  return { client: new PrismaClient({ adapter: new PrismaPg(pool) }), pool }
}

const database = (): Database => {
  shared.billhookDatabase ??= open()
  return shared.billhookDatabase
}

/** The client for reads outside a transaction. Changes go through `transact`. */
export const db = (): PrismaClient => database().client

/** Ends all connections; the next use opens new ones. */
export async function closeDatabase(): Promise<void> {
  const open = shared.billhookDatabase
  shared.billhookDatabase = undefined
  if (!open) return
  await open.client.$disconnect()
  if (!open.pool.ended) await open.pool.end()
}
