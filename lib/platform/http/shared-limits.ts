import { createHmac } from 'node:crypto'
import { config } from '../config.ts'
import { db } from '../db/db.ts'
import { inSteps } from '../db/in-steps.ts'
import { every } from '../every.ts'
import { Outage } from '../outage.ts'
import { RateLimiter, type Used } from './rate-limit.ts'

/**
 * Rate limits that all processes share. Each process counts in memory and several times per second adds the counts of busy keys to the table `rate_limits`.
 * Between these updates, the processes together can accept more requests than the limit. The excess reduces the number of requests that are accepted later.
 */

const everyMs = 250
const pauseAfterFailureMs = 5_000
const mostKeys = 1_000
/** The maximum count of a key, in bursts: one burst for each of up to 32 processes. A higher count means that the clock was set back. */
const mostBursts = 32

interface NamedUse extends Used {
  readonly name: string
}

export class SharedLimits {
  private readonly limiters = new Map<string, RateLimiter>()
  private end: (() => Promise<void>) | undefined
  private silentUntil = 0
  private readonly outage = new Outage('shared rate limits are unavailable, so each process counts separately')

  limiter(name: string, most?: number): RateLimiter {
    const limiter = this.limiters.get(name) ?? new RateLimiter(most)
    this.limiters.set(name, limiter)
    return limiter
  }

  start(): void {
    this.end ??= every(
      everyMs,
      async () => performance.now() >= this.silentUntil && this.report(),
      (error) => this.outage.begins(error),
    )
  }

  async stop(): Promise<void> {
    const { end } = this
    this.end = undefined
    await end?.()
  }

  /**
   * Reports the counts to the database and never throws. If the database is unavailable, the counts remain for the next
   * report.
   */
  async report(): Promise<void> {
    const used = [...this.limiters].flatMap(([name, limiter]) =>
      limiter.report(mostKeys).map((each): NamedUse => ({ ...each, name })),
    )
    if (used.length === 0) return
    const byHash = new Map(used.map((each) => [hashOf(each), each]))
    try {
      const impossible: string[] = []
      for (const { key: hash, ahead } of await addUp(byHash)) {
        const { name, key, paceMs, burstMs } = byHash.get(hash) as NamedUse
        if (ahead > mostBursts * burstMs) impossible.push(hash)
        else this.limiters.get(name)?.learn(key, paceMs, ahead, Date.now())
      }
      if (impossible.length > 0) await forget(impossible)
      this.outage.ends()
    } catch (error) {
      for (const each of used) this.limiters.get(each.name)?.reportLater(each)
      this.outage.begins(error)
      this.silentUntil = performance.now() + pauseAfterFailureMs
    }
  }
}

// The bundles of the server and of the pages share the limits through the global object.
const shared = globalThis as typeof globalThis & { billhookLimits?: SharedLimits }

export function sharedLimits(): SharedLimits {
  shared.billhookLimits ??= new SharedLimits()
  return shared.billhookLimits
}

/** The key of a rate limit may be an IP address, so only the hash of the key is stored. */
const hashOf = ({ name, key }: NamedUse): string =>
  createHmac('sha256', config().secretKey).update(`rate limit ${name} ${key}`).digest('base64url').slice(0, 22)

/** Adds counts in the order of keys, so that two processes cannot deadlock. */
const addUp = (byHash: ReadonlyMap<string, NamedUse>) =>
  db().$queryRaw<{ key: string; ahead: number }[]>`
    INSERT INTO rate_limits (key, arrival)
    SELECT key, statement_timestamp() + ms * interval '1 millisecond'
    FROM unnest(${[...byHash.keys()]}::text[], ${[...byHash.values()].map(({ requests, paceMs }) => requests * paceMs)}::float8[])
      AS used (key, ms)
    ORDER BY key
    ON CONFLICT (key) DO UPDATE
    SET arrival = greatest(rate_limits.arrival, statement_timestamp()) + (excluded.arrival - statement_timestamp())
    RETURNING key, extract(epoch FROM arrival - statement_timestamp())::float8 * 1000 AS ahead`

/** Deletes impossible counts. Skips rows that another process is changing, because the next report finds the remaining impossible counts. */
const forget = (keys: readonly string[]) =>
  db().$executeRaw`
    DELETE FROM rate_limits WHERE key = ANY(ARRAY(SELECT key FROM rate_limits WHERE key = ANY(${keys}) FOR UPDATE SKIP LOCKED))`

/** Deletes old rate limits. Skips locked rows, so that this query and `addUp` never wait for each other. */
export const deleteOldLimits = (): Promise<number> =>
  inSteps(
    (limit) => db().$executeRaw`
      DELETE FROM rate_limits WHERE key = ANY(ARRAY(
        SELECT key FROM rate_limits WHERE arrival < (SELECT clock_timestamp()) - interval '1 minute'
        LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))`,
  )
