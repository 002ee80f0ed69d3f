import pg from 'pg'
import { config } from '../config.ts'
import { log } from '../log.ts'
import { sessionOptions } from './sessions.ts'
import { refuseSilence } from './silence.ts'
import { typeParser } from './types.ts'

// The server's bundle and the pages' bundle are two module graphs in one process. They share the pool through the
// global object.
export const shared = globalThis as typeof globalThis & {
  billhookPool?: pg.Pool | undefined
  billhookReplica?: pg.Pool | undefined
  billhookHeart?: pg.Pool | undefined
}

/** `silenceMs`: for how long nothing may come on a connection; by default a little longer than a statement may take. */
export function openPool(max: number, connectionString = config().databaseUrl, silenceMs?: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: config().databaseConnectMs,
    // A transaction sends its first statement with its BEGIN.
    pipeline: true,
    types: { getTypeParser: typeParser },
    options: sessionOptions(),
  } as pg.PoolConfig)
  // A connection that is cut emits an error, which without a listener would end the process. The pool listens on idle
  // connections, but nobody does while a connection is in use. The pool replaces the connection.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ error: error.message }, 'database connection lost'))
    refuseSilence(client, silenceMs)
  })
  return pool
}

/** The pool of this process, for everything but its heartbeat and the replica. */
export function currentPool(): pg.Pool {
  shared.billhookPool ??= openPool(config().databasePool)
  return shared.billhookPool
}

/** The connections of this process that work, those that are free, and what waits for one. */
export function connectionCounts(): { readonly busy: number; readonly idle: number; readonly waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = shared.billhookPool ?? {}
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}
