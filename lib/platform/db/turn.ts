import { db } from './db.ts'

/**
 * Reserves `name` for `ms` milliseconds of database time. Returns true to the process that gets the reservation, so
 * that only this process does the work. The reservation is a row of `rate_limits`. Its key is not hashed, so it never
 * equals the hashed key of a rate limit.
 */
export const takeTurn = async (name: string, ms: number): Promise<boolean> => (await endOfTurn(name, ms)) !== null

/**
 * Reserves `name` for `ms` milliseconds. Returns the end of the reservation, or null while another reservation exists.
 * The end identifies the reservation, because a reservation always ends later than the reservation that it replaces.
 */
async function endOfTurn(name: string, ms: number): Promise<Date | null> {
  const [taken] = await db().$queryRaw<{ arrival: Date }[]>`
    INSERT INTO rate_limits (key, arrival)
    VALUES (${`turn ${name}`}, statement_timestamp() + ${ms}::float8 * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET arrival = excluded.arrival WHERE rate_limits.arrival <= statement_timestamp()
    RETURNING arrival`
  return taken?.arrival ?? null
}

/**
 * Runs `work`, or returns null while another process runs work with the same `name`. If a process is killed, its
 * reservation ends after `mostMs` milliseconds, which must exceed the longest duration of the work. Work that lasts
 * longer does not end the reservation that another process has made in the meantime.
 */
export async function inTurn<Result>(
  name: string,
  mostMs: number,
  work: () => Promise<Result>,
): Promise<Result | null> {
  const arrival = await endOfTurn(name, mostMs)
  if (arrival === null) return null
  try {
    return await work()
  } finally {
    await db().rate_limits.deleteMany({ where: { key: `turn ${name}`, arrival } })
  }
}

/** Stores a named mark that `hasMark` finds in all processes for at least a minute. */
export async function leaveMark(name: string): Promise<void> {
  await db().$executeRaw`
    INSERT INTO rate_limits (key, arrival) VALUES (${`mark ${name}`}, statement_timestamp()) ON CONFLICT (key) DO NOTHING`
}

export const hasMark = async (name: string): Promise<boolean> =>
  (await db().rate_limits.count({ where: { key: `mark ${name}` } })) > 0

/** Stores the current time under a name. `secondsSince` reads the stored time. */
export async function noteTime(name: string): Promise<void> {
  await db().$executeRaw`
    INSERT INTO rate_limits (key, arrival) VALUES (${`time ${name}`}, statement_timestamp())
    ON CONFLICT (key) DO UPDATE SET arrival = greatest(rate_limits.arrival, excluded.arrival)`
}

/** Seconds since the last `noteTime` of any process. Null if no process has noted the name, or if the cleanup of old rate limits removed the note. */
export async function secondsSince(name: string): Promise<number | null> {
  const [row] = await db().$queryRaw<{ seconds: number }[]>`
    SELECT round(greatest(0, extract(epoch FROM clock_timestamp() - arrival)))::float8 AS seconds
    FROM rate_limits WHERE key = ${`time ${name}`}`
  return row?.seconds ?? null
}
