import { holdClock } from '../clock/clock.ts'
import { beat, db, type Sql } from '../db/db.ts'
import { leaseMs } from './leases.ts'
import { wake } from './wake.ts'

/** The exclusive lock on a clock waits for all calls that hold the clock, each for up to 20 s. */
export const holdTimeouts = { timeout: 60_000, statementMs: 60_000 }

interface AdvanceRunner {
  readonly storefrontId: string
  readonly runnerId: string
}

/**
 * Stops the clock at `now`, to be advanced to `target`. The transaction must hold the clock exclusively. All waiting
 * tasks belong to this advance. Tasks that were due earlier see no time before `now`, because calls have acted until
 * then. Waiting tasks of the types `first` belong to the advance too, at `now`, although they wait in real time.
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

/** Ends an advance at the current time. The transaction must hold the clock exclusively. False without an advance. */
export async function cutAdvance(sql: Sql, storefrontId: string): Promise<boolean> {
  const cut = await sql.$executeRaw`
    UPDATE clocks SET advancing_to = frozen_at WHERE storefront_id = ${storefrontId} AND advancing_to IS NOT NULL`
  return cut === 1
}

/** Never moves back, and waits for calls at the current time. False if another runner has the advance. */
export async function moveClock({ storefrontId, runnerId }: AdvanceRunner, moment: Date): Promise<boolean> {
  const [row] = await db().$queryRaw<{ mine: boolean }[]>`
    SELECT move_clock(${storefrontId}, ${runnerId}, ${moment}) AS mine`
  return row?.mine ?? false
}

/**
 * Extends the lease; `hasProgressed` records progress. False if another runner has taken the advance over. Skips a
 * locked clock, because the leases of all tasks of the process would wait too.
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

/** Gives the advance up, so that any worker can resume it. */
export async function releaseAdvance({ storefrontId, runnerId }: AdvanceRunner): Promise<void> {
  await db().clocks.updateMany({
    where: { storefront_id: storefrontId, runner_id: runnerId },
    data: { runner_id: null, advance_leased_until: null },
  })
  wake()
}

/**
 * Lets the clock run on from the target, or after `cutAdvance` from its time. Unrelated tasks delay it only if
 * `patient`. Returns how many tasks are left to the worker, or null if a task of the advance is still due.
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
