import { Socket } from 'node:net'
import pg from 'pg'
import { config } from '../config.ts'
import { log } from '../log.ts'
import { longestStatementMs, sessionOptions } from './sessions.ts'
import { typeParser } from './types.ts'

// The server's bundle and the pages' bundle share the pool through the global object.
export const shared = globalThis as typeof globalThis & {
  billhookPool?: pg.Pool | undefined
  billhookReplica?: pg.Pool | undefined
  billhookHeart?: pg.Pool | undefined
  /** Connections that were opened before this time of `performance.now()` are not used again. */
  billhookConnectionsSince?: number | undefined
}

/** Our own socket (the driver's option `stream`), so that several queries can be sent in one write. */
class Client extends pg.Client {
  private readonly socket: Socket

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.socket = socket
  }

  /** Sends the queries of this turn of the event loop in one write. Under load, a write costs more than a statement. */
  sendTogether(): void {
    if (this.socket.writableCorked > 0) return
    this.socket.cork()
    process.nextTick(() => this.socket.uncork())
  }
}

export type Connection = Client & pg.PoolClient

const openedAt = new WeakMap<pg.PoolClient, number>()
const isOutdated = (client: pg.PoolClient): boolean =>
  (openedAt.get(client) ?? 0) < (shared.billhookConnectionsSince ?? Number.NEGATIVE_INFINITY)

/** A read-only server refuses every write. Connections are replaced at most this often. */
const replaceEveryMs = 1_000
let nextReplacement: NodeJS.Timeout | undefined

/**
 * Replaces all connections. Busy connections are replaced when their work is done. After a failover the database's
 * address leads to the new server, while open connections lead to the former server, which is read-only.
 */
export function replaceConnections(): void {
  const since = shared.billhookConnectionsSince ?? Number.NEGATIVE_INFINITY
  const waitMs = since + replaceEveryMs - performance.now()
  // The refused write may have used a connection that was opened after the last replacement.
  if (waitMs > 0) nextReplacement ??= setTimeout(replaceNow, waitMs).unref()
  else replaceNow()
}

function replaceNow(): void {
  clearTimeout(nextReplacement)
  nextReplacement = undefined
  shared.billhookConnectionsSince = performance.now()
  for (const pool of [shared.billhookPool, shared.billhookHeart]) if (pool) endOutdated(pool)
}

function endOutdated(pool: pg.Pool): void {
  if (pool.ending || pool.ended) return
  for (let free = pool.idleCount; free > 0; free--)
    pool.connect().then(
      (client) => client.release(isOutdated(client)),
      () => undefined, // the next use of a connection gets the error
    )
}

/** How long the driver waits for a response, in milliseconds. Then it fails the query and closes the connection. */
export interface QueryLimits {
  readonly query_timeout?: number
}

/** A server that hangs ends no statement, and the network would retry for a quarter of an hour. */
export const limitsFor = (statementMs: number): Required<QueryLimits> => ({ query_timeout: statementMs + 5_000 })

export function openPool(
  max: number,
  connectionString = config().databaseUrl,
  limits: Required<QueryLimits> = limitsFor(longestStatementMs),
): pg.Pool {
  const pool = new pg.Pool({
    Client,
    connectionString,
    max,
    connectionTimeoutMillis: config().databaseConnectMs,
    ...limits,
    // A transaction sends its first statement together with its BEGIN.
    pipeline: true,
    types: { getTypeParser: typeParser },
    options: sessionOptions(),
  } as pg.PoolConfig)
  // A broken connection emits an error, which would end the process without a listener.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    openedAt.set(client, performance.now())
    client.on('error', (error) => log.warn({ error: error.message }, 'database connection lost'))
  })
  // At this time the pool does not count the connection among the free ones yet.
  pool.on('release', (_, client) => {
    if (isOutdated(client)) setImmediate(() => endOutdated(pool))
  })
  return pool
}

/** The pool of this process, for all queries except the heartbeat and the replica. */
export function currentPool(): pg.Pool {
  shared.billhookPool ??= openPool(config().databasePool)
  return shared.billhookPool
}

/** A connection borrowed from the pool. The caller must release it. */
export const lentConnection = async (): Promise<Connection> => (await currentPool().connect()) as Connection

export function connectionCounts(): { readonly busy: number; readonly idle: number; readonly waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = shared.billhookPool ?? {}
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}
