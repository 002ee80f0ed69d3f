import pg from 'pg'

/**
 * Starts all of `racers` behind a lock that `hold` takes, and lets go when `waiting` of them (all, unless said otherwise)
 * stand before it: whatever they read before the lock, each has read before any has written. `meanwhile` is done just before
 * it lets go. Answers how each ended.
 */
export async function raceBehind<Result>(
  hold: { sql: string; values?: unknown[] },
  racers: readonly (() => Promise<Result>)[],
  waiting = racers.length,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<PromiseSettledResult<Result>[]> {
  const holder = new pg.Client({ connectionString: process.env.DATABASE_URL })
  const watcher = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await Promise.all([holder.connect(), watcher.connect()])
  try {
    await holder.query('BEGIN')
    await holder.query(hold.sql, hold.values)
    const race = Promise.allSettled(racers.map((racer) => racer()))
    const deadline = Date.now() + 20_000
    for (;;) {
      const { rows } = await watcher.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
      if ((rows[0]?.count ?? 0) >= waiting) break
      if (Date.now() > deadline) throw new Error(`only ${rows[0]?.count} of ${waiting} came to the barrier`)
    }
    await meanwhile()
    await holder.query('ROLLBACK')
    return await race
  } finally {
    await Promise.all([holder.end(), watcher.end()])
  }
}
