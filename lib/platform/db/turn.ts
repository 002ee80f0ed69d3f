import { db } from './db.ts'

/**
 * Whether this process may do work that one process does per `ms`, by the clock of the database. A turn is a rate limit
 * of one, whose plain name cannot collide with the hashed keys of other limits.
 */
export async function takeTurn(name: string, ms: number): Promise<boolean> {
  const taken = await db().$queryRaw<object[]>`
    INSERT INTO rate_limits (key, arrival)
    VALUES (${`turn ${name}`}, statement_timestamp() + ${ms}::float8 * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET arrival = excluded.arrival WHERE rate_limits.arrival <= statement_timestamp()
    RETURNING key`
  return taken.length > 0
}

/**
 * Runs work that only one caller can do at a time. Returns the result of the work, or null while another caller works. After a kill, the
 * turn ends after `mostMs`, which must exceed the longest duration of the work.
 */
export async function inTurn<Result>(
  name: string,
  mostMs: number,
  work: () => Promise<Result>,
): Promise<Result | null> {
  if (!(await takeTurn(name, mostMs))) return null
  try {
    return await work()
  } finally {
    await db().rate_limits.deleteMany({ where: { key: `turn ${name}` } })
  }
}

/** Leaves a mark that every process sees for about a minute. */
export async function leaveMark(name: string): Promise<void> {
  await db().$executeRaw`
    INSERT INTO rate_limits (key, arrival) VALUES (${`mark ${name}`}, statement_timestamp()) ON CONFLICT (key) DO NOTHING`
}

export const hasMark = async (name: string): Promise<boolean> =>
  (await db().rate_limits.count({ where: { key: `mark ${name}` } })) > 0
