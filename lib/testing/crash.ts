import pg from 'pg'
import { closeDatabase, db } from '../platform/db/db.ts'
import { isLongForm } from './amount.ts'

// biome-ignore lint/suspicious/noExplicitAny: the driver's overloads
type Query = (this: pg.Client, ...args: any[]) => any

/** Of the query at which a process is killed. */
export type Moment = 'before' | 'after'

/**
 * A kill before a commit leaves the same as one after the commit before it, if nothing outside of the database happened between
 * them: only the long form of the tests of faults takes both.
 */
export const moments: readonly Moment[] = isLongForm ? ['before', 'after'] : ['after']

type Counts = (client: pg.Client, text: string) => boolean

/**
 * Runs `work` as in a process that is killed at its n-th query: `before` it is sent, or `after` the database ran it and
 * before any response. From then on nothing reaches the database any more, and its connections are cut, so that it
 * rolls back open transactions. State in memory is lost, as in a real kill. Returns whether the kill came before the
 * work ended. `counts` says which queries n counts.
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
  /** As the driver does: a query that cannot be sent fails later, so that those sent with it have their listeners by then. */
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
    answer.catch(() => undefined) // the caller gets the error too; the driver also runs queries without a listener
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
 * The queries that `killedAt` counts where only decisive ones shall count: each COMMIT, and each query outside a
 * transaction that may write. A kill after any other query leaves nothing. Create one for each run.
 */
export function decisive(): Counts {
  const inTransaction = new WeakSet<pg.Client>()
  return (client, text) => {
    if (/^BEGIN/i.test(text)) inTransaction.add(client)
    const isInside = inTransaction.has(client)
    const isEnd = /^(COMMIT|ROLLBACK)/i.test(text)
    if (isEnd) inTransaction.delete(client)
    return isInside ? isEnd : !/^\s*SELECT/i.test(text)
  }
}

/** The queries that `killedAt` counts: the decisive ones, and in the long form of the tests of faults all of them. */
export const places = (): Counts => (isLongForm ? () => true : decisive())

/**
 * Real time passes: the leases of the dead process end, on tasks, advancing clocks and idempotency keys, and failed
 * tasks are retried.
 */
export async function expireLeases(): Promise<void> {
  await db().$executeRaw`
    UPDATE tasks SET leased_until = NULL, last_error = NULL, run_at = clock_timestamp() - interval '1 second'
    WHERE leased_until IS NOT NULL OR last_error IS NOT NULL`
  await db().$executeRaw`UPDATE clocks SET advance_leased_until = NULL WHERE advance_leased_until IS NOT NULL`
  await db()
    .$executeRaw`UPDATE idempotency_keys SET leased_until = clock_timestamp() - interval '1 second' WHERE status IS NULL`
}
