import pg from 'pg'

/**
 * Starts all `racers` while `hold` holds a lock, and releases the lock when `waiting` racers (by default all) wait for
 * it. Each racer has then done its first reads before any racer writes. `meanwhile` runs just before the release.
 * Returns the outcome of each racer. If `inTurn` is set, each racer starts only after all earlier racers wait for a lock.
 */
export async function raceBehind<Result>(
  hold: { sql: string; values?: unknown[] },
  racers: readonly (() => Promise<Result>)[],
  waiting = racers.length,
  meanwhile: () => Promise<unknown> = async () => undefined,
  { inTurn = false } = {},
): Promise<PromiseSettledResult<Result>[]> {
  const holder = new pg.Client({ connectionString: process.env.DATABASE_URL })
  const watcher = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await Promise.all([holder.connect(), watcher.connect()])
  try {
    await holder.query('BEGIN')
    await holder.query(hold.sql, hold.values)
    const running: Promise<Result>[] = []
    for (const racer of racers) {
      if (inTurn) await stand(watcher, running.length)
      running.push(racer())
    }
    const race = Promise.allSettled(running)
    await stand(watcher, waiting)
    await meanwhile()
    await holder.query('ROLLBACK')
    return await race
  } finally {
    await Promise.all([holder.end(), watcher.end()])
  }
}

async function stand(watcher: pg.Client, waiting: number): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const { rows } = await watcher.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
    if ((rows[0]?.count ?? 0) >= waiting) return
    if (Date.now() > deadline) throw new Error(`only ${rows[0]?.count} of ${waiting} calls wait for a lock`)
  }
}
