import pg from 'pg'
import { closeDatabase, db } from '../platform/db/db.ts'
import { isLongForm } from './amount.ts'

// biome-ignore lint/suspicious/noExplicitAny: the driver's overloads
type Query = (this: pg.Client, ...args: any[]) => any

export type Moment = 'before' | 'after'

/**
 * The moments of a simulated crash: before or after a query. Only the long form of the tests tries both, because a
 * crash before a commit leaves the same database as a crash after the previous commit.
 */
export const moments: readonly Moment[] = isLongForm ? ['before', 'after'] : ['after']

type Counts = (client: pg.Client, text: string) => boolean

/**
 * Runs `work` as in a process that crashes before or after its n-th query. Afterward no query reaches the database, and
 * the connections are cut, so open transactions roll back. Only queries for which `counts` returns true are counted.
 * Returns whether the crash happened.
 */
export async function killedAt(
  n: number,
  moment: Moment,
  work: () => Promise<unknown>,
  counts: Counts = () => true,
): Promise<boolean> {
  const original = pg.Client.prototype.query as Query
  const clients = new Set<pg.Client>()
  let count = 0
  let dead = false
  const die = () => {
    dead = true
    for (const client of clients)
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }
  /**
   * Returns a rejected promise for a query. A thrown error would make the driver fail before it attaches listeners to
   * the other queries in the same batch. For a query with a callback, throws the error.
   */
  const refuse = (args: readonly unknown[]) => {
    const killed = new Error('killed')
    const isHeard = args.some((each) => typeof each === 'function') || 'callback' in Object(args[0])
    if (isHeard) throw killed
    return Promise.reject(killed)
  }
  const query: Query = function (...args) {
    clients.add(this)
    if (dead) return refuse(args)
    const isCounted = counts(this, String(args[0]?.text ?? args[0]))
    if (isCounted) count++
    if (!isCounted || count < n) return original.apply(this, args)
    if (moment === 'before') {
      die()
      return refuse(args)
    }
    const answer = Promise.resolve(original.apply(this, args)).then(() => {
      die()
      throw new Error('killed')
    })
    answer.catch(() => undefined)
    return answer
  }
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  try {
    await work().catch((error: unknown) => {
      if (!dead) throw error
    })
  } finally {
    pg.Client.prototype.query = original as typeof pg.Client.prototype.query
    await closeDatabase().catch((error: unknown) => {
      if (!dead) throw error
    })
  }
  return dead
}

/**
 * Matches queries whose effect `expireLeases` reverses (a claim of tasks), and queries that do not affect the result
 * of the operation (the search for due webhook deliveries, and the update of the last use of an API key). A crash after
 * such a query leaves the same state as a crash before the query.
 */
const reversed = /^\s*(?:UPDATE tasks SET claim_version = claim_version \+ 1|WITH RECURSIVE first AS|WITH uses AS)/

/**
 * Returns a function that selects each COMMIT and ROLLBACK, and each possible write outside a transaction. The short
 * form leaves out the queries that match `reversed`. The function remembers open transactions, so create one function
 * per run.
 */
export function decisive(): Counts {
  const inTransaction = new WeakSet<pg.Client>()
  return (client, text) => {
    if (/^BEGIN/i.test(text)) inTransaction.add(client)
    const isInside = inTransaction.has(client)
    const isEnd = /^(COMMIT|ROLLBACK)/i.test(text)
    if (isEnd) inTransaction.delete(client)
    if (isInside) return isEnd
    return !/^\s*SELECT/i.test(text) && (isLongForm || !reversed.test(text))
  }
}

/** The queries that `killedAt` counts. The short form counts the queries that `decisive` selects. The long form counts all queries. */
export const places = (): Counts => (isLongForm ? () => true : decisive())

/** Ends the leases of the crashed process on tasks, clocks, and idempotency keys. Failed tasks become due again. */
export async function expireLeases(): Promise<void> {
  await db().$executeRaw`
    UPDATE tasks SET leased_until = NULL, last_error = NULL, run_at = clock_timestamp() - interval '1 second'
    WHERE leased_until IS NOT NULL OR last_error IS NOT NULL`
  await db().$executeRaw`UPDATE clocks SET advance_leased_until = NULL WHERE advance_leased_until IS NOT NULL`
  await db()
    .$executeRaw`UPDATE idempotency_keys SET leased_until = clock_timestamp() - interval '1 second' WHERE status IS NULL`
}
