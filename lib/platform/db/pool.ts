import { Socket } from 'node:net'
import pg from 'pg'
import { config } from '../config.ts'
import { log } from '../log.ts'
import { longestStatementMs } from './session-settings.mjs'
import { sessionOptions } from './sessions.ts'
import { typeParser } from './types.ts'

// The bundles of the server and of the pages share the pool through the global object.
export const shared = globalThis as typeof globalThis & {
  billhookPool?: pg.Pool | undefined
  billhookReplica?: pg.Pool | undefined
  billhookHeart?: pg.Pool | undefined
  /** Connections opened before this time (`performance.now()`) are closed after their work. */
  billhookConnectionsSince?: number | undefined
}

/** The client creates its own socket (driver option `stream`), so that several queries are sent in one write. */
class Client extends pg.Client {
  private readonly socket: Socket

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.socket = socket
  }

  /**
   * Sends all queries of this turn of the event loop in one write, because under load a write costs more than a query.
   */
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

/**
 * The minimum time between two replacements of the connections, in milliseconds. Without this limit, a read-only server
 * would cause a replacement at each refused write.
 */
const replaceEveryMs = 1_000
let nextReplacement: NodeJS.Timeout | undefined

/**
 * Replaces idle connections immediately, and busy connections after their work. After a failover, open connections
 * still lead to the former server, which is read-only.
 */
export function replaceConnections(): void {
  const since = shared.billhookConnectionsSince ?? Number.NEGATIVE_INFINITY
  const waitMs = since + replaceEveryMs - performance.now()
  // Schedules another replacement, because a connection that was opened after the last replacement can be read-only
  // too.
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
      () => undefined,
    )
}

/** Milliseconds after which the driver fails the query and closes the connection. */
export interface QueryLimits {
  readonly query_timeout?: number
}

/**
 * The driver ends a query five seconds after the server's time limit. A hanging server does not enforce its limit, and TCP would retry for
 * a quarter of an hour.
 */
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
    // With this driver option, the first statement is sent together with BEGIN.
    pipeline: true,
    types: { getTypeParser: typeParser },
    options: sessionOptions(),
  } as pg.PoolConfig)
  // Without a listener, the error event of a broken connection would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    openedAt.set(client, performance.now())
    client.on('error', (error) => log.warn({ error: error.message }, 'database connection lost'))
  })
  // At the event `release`, the pool does not yet count the connection as free, so the connection is closed after the event.
  pool.on('release', (_, client) => {
    if (isOutdated(client)) setImmediate(() => endOutdated(pool))
  })
  return pool
}

export function currentPool(): pg.Pool {
  shared.billhookPool ??= openPool(config().databasePool)
  return shared.billhookPool
}

export const lentConnection = async (): Promise<Connection> => (await currentPool().connect()) as Connection

export function connectionCounts(): { readonly busy: number; readonly idle: number; readonly waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = shared.billhookPool ?? {}
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}
