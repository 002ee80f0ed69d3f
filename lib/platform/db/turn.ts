import { db } from './db.ts'

/**
 * Returns true for one process in each period of `ms` milliseconds of database time, so that only this process does the work. The turn is stored as a row of
 * `rate_limits`. Its key is not hashed, so it never equals the hashed key of a rate limit.
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
 * Runs `work`, or returns null while another process runs work with the same `name`. If a process is killed, its turn ends after `mostMs` milliseconds, which
 * must exceed the longest duration of the work.
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

/** Stores a named mark that `hasMark` finds in all processes for at least a minute. */
export async function leaveMark(name: string): Promise<void> {
  await db().$executeRaw`
    INSERT INTO rate_limits (key, arrival) VALUES (${`mark ${name}`}, statement_timestamp()) ON CONFLICT (key) DO NOTHING`
}

export const hasMark = async (name: string): Promise<boolean> =>
  (await db().rate_limits.count({ where: { key: `mark ${name}` } })) > 0
