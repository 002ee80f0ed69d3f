import { holdClock } from '../clock/clock.ts'
import { beat, db, type Sql } from '../db/db.ts'
import { leaseMs } from './leases.ts'
import { wake } from './wake.ts'

/**
 * Limits in milliseconds, longer than the 20 s for which a request can hold a clock. A transaction gets the exclusive lock of a clock only
 * after all requests have released the clock.
 */
export const holdTimeouts = { timeout: 60_000, statementMs: 60_000 }

interface AdvanceRunner {
  readonly storefrontId: string
  readonly runnerId: string
}

/**
 * Starts an advance of the test clock from `now` to `target`. The transaction must hold the exclusive lock of the clock. Tasks that were outside an earlier
 * advance become part of this advance. A task that was due before `now` runs with the time `now`, because requests have already made changes up to `now`.
 * Tasks of the types `first` that wait in real time become due at `now` on the test clock.
 */
export async function beginAdvance(
  sql: Sql,
  storefrontId: string,
  { now, target, movedBy, first }: { now: Date; target: Date; movedBy: string | null; first: readonly string[] },
): Promise<void> {
  await sql.$executeRaw`
    UPDATE clocks SET frozen_at = ${now}, advancing_to = ${target}, moved_by = ${movedBy}, runner_id = NULL, advance_leased_until = NULL,
      touched_at = ${now}, moving_since = clock_timestamp(), progressed_at = clock_timestamp()
    WHERE storefront_id = ${storefrontId}`
  await sql.$executeRaw`UPDATE tasks SET beside = false WHERE storefront_id = ${storefrontId} AND beside`
  await sql.$executeRaw`
    UPDATE tasks SET clock = 'storefront', due_at = ${now}
    WHERE storefront_id = ${storefrontId} AND testmode AND clock = 'real' AND name = ANY(${[...first]}::text[])`
}

/** Ends an advance at the current time of the clock. Requires the clock's exclusive lock. Returns false if no advance is in progress. */
export async function cutAdvance(sql: Sql, storefrontId: string): Promise<boolean> {
  const cut = await sql.$executeRaw`
    UPDATE clocks SET advancing_to = frozen_at WHERE storefront_id = ${storefrontId} AND advancing_to IS NOT NULL`
  return cut === 1
}

/** Waits for the requests in progress, and then moves the clock forward. Returns false if another runner has taken over the advance. */
export async function moveClock({ storefrontId, runnerId }: AdvanceRunner, moment: Date): Promise<boolean> {
  const [row] = await db().$queryRaw<{ mine: boolean }[]>`
    SELECT move_clock(${storefrontId}, ${runnerId}, ${moment}) AS mine`
  return row?.mine ?? false
}

/**
 * Extends the lease of an advance, and records progress with `hasProgressed`. Returns false if another runner has taken
 * over. Skips a locked clock, because waiting would delay the leases of all tasks of the process.
 */
export const extendAdvance = async (storefrontId: string, runnerId: string, hasProgressed: boolean): Promise<boolean> =>
  (await beat(
    `WITH mine AS (SELECT storefront_id FROM clocks WHERE storefront_id = $3 AND runner_id = $4 AND advancing_to IS NOT NULL),
    free AS (SELECT c.storefront_id FROM clocks c JOIN mine USING (storefront_id) FOR NO KEY UPDATE OF c SKIP LOCKED),
    extended AS (
      UPDATE clocks SET advance_leased_until = clock_timestamp() + $1::int * interval '1 millisecond',
        progressed_at = CASE WHEN $2 THEN clock_timestamp() ELSE progressed_at END
      FROM free WHERE clocks.storefront_id = free.storefront_id AND runner_id = $4)
    SELECT 1 FROM mine`,
    [leaseMs, hasProgressed, storefrontId, runnerId],
  )) === 1

export async function releaseAdvance({ storefrontId, runnerId }: AdvanceRunner): Promise<void> {
  await db().clocks.updateMany({
    where: { storefront_id: storefrontId, runner_id: runnerId },
    data: { runner_id: null, advance_leased_until: null },
  })
  wake()
}

/**
 * Restarts the clock at the target, or at its current time after `cutAdvance`. Returns the number of tasks left to the
 * worker. Returns null and changes nothing if another runner has taken over the clock advance. Also returns null while
 * a task of the advance is due, unless the task or its stream is in `givenUp`. With `patient`, also returns null while
 * a task outside the advance is due.
 */
export async function finishAdvance(
  { storefrontId, runnerId }: AdvanceRunner,
  givenUp: readonly string[],
  patient: boolean,
): Promise<number | null> {
  return db().$transaction(async (sql) => {
    await holdClock(sql, { storefrontId, testmode: true }, true)
    const [due] = await sql.$queryRaw<{ left: number; awaited: number }[]>`
      SELECT count(tasks.id)::int AS left,
        count(tasks.id) FILTER (WHERE tasks.id <> ALL(${givenUp}) AND coalesce(stream <> ALL(${givenUp}), true)
          AND (${patient} OR NOT beside))::int AS awaited
      FROM clocks LEFT JOIN tasks ON tasks.storefront_id = clocks.storefront_id AND clock = 'storefront' AND due_at <= advancing_to
      WHERE clocks.storefront_id = ${storefrontId} AND runner_id = ${runnerId} AND advancing_to IS NOT NULL
      GROUP BY clocks.storefront_id`
    if (!due || due.awaited > 0) return null
    await sql.$executeRaw`
      UPDATE clocks SET
        ahead_seconds = extract(epoch FROM greatest(advancing_to, frozen_at))::bigint - floor(extract(epoch FROM clock_timestamp()))::bigint,
        frozen_at = NULL, advancing_to = NULL, runner_id = NULL, advance_leased_until = NULL, touched_at = NULL, moving_since = NULL,
        progressed_at = NULL
      WHERE storefront_id = ${storefrontId}`
    await sql.$executeRaw`
      UPDATE tasks SET run_at = due_at - ahead_seconds * interval '1 second' FROM clocks
      WHERE tasks.storefront_id = ${storefrontId} AND clocks.storefront_id = tasks.storefront_id
      AND clock = 'storefront' AND leased_until IS NULL AND last_error IS NULL`
    return due.left
  }, holdTimeouts)
}
